import { choice, integer, namesOrAll, optionalText, pattern, text } from '../setting.ts';
import { inGroup, secret, withDetails } from '../setting-notes.ts';

/** Settings that most people need on the first day. */
export const COMMON = {
  config: withDetails(
    optionalText('config', 'file of settings, with lines such as port = 8081', 'FILE'),
    'See [Settings file](#settings-file).',
  ),
  ...inGroup('up', {
    source: withDetails(
      optionalText(
        'source',
        'source of blocks: localnet, liteserver, archive:PATH, files:PATH, or archive:PATH,liteserver',
        'SOURCE',
      ),
      'The default of a new data directory is localnet.',
    ),
  }),
  ...inGroup('start', {
    network: withDetails(
      optionalText(
        'network',
        'network, if the source does not start with block 1: mainnet, or a label',
        'NETWORK',
      ),
      'LABEL=ROOTHASH:FILEHASH also gives the hashes of the zerostate, in hex.',
    ),
  }),
  ...inGroup('data', {
    data: text('data', 'data directory of the log and the embedded store', 'DIR', './data'),
  }),
  ...inGroup('projections', {
    projections: withDetails(
      namesOrAll('projections', 'projections to write: base, activity, contracts, traces, actions, lake'),
      'A projection that was off resumes from the stored blocks when it is named again. An index of unrelated blocks (`--isolated`) has only base.',
    ),
  }),
  ...inGroup('serve', {
    host: text('host', 'address to listen on', 'ADDRESS', '127.0.0.1'),
    port: integer('port', 'port to listen on; 0 selects a free one', {
      min: 0,
      max: 65_535,
      fallback: 8_080,
    }),
  }),
  ...inGroup('kafka', {
    kafka: pattern('kafka', 'Kafka brokers that store the log, instead of the data directory', {
      value: 'BROKERS',
      regex: /^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/,
      allowed: 'host:port, several with commas',
      alias: 'KAFKA_BROKERS',
    }),
  }),
  ...inGroup('store', {
    clickhouseUrl: withDetails(
      pattern('clickhouse-url', 'ClickHouse server to use instead of the embedded one', {
        value: 'URL',
        regex: /^https?:\/\/\S+$/,
        allowed: 'an http:// or https:// address',
        alias: 'CLICKHOUSE_URL',
      }),
      'The user and the password have their own settings.',
    ),
    clickhouseUser: text('clickhouse-user', 'user of the ClickHouse server', 'NAME', 'default'),
    clickhousePassword: secret(
      optionalText('clickhouse-password', 'password of the ClickHouse user', 'TEXT'),
    ),
  }),
  ...inGroup('logging', {
    logLevel: choice(
      'log-level',
      'lowest level that is logged',
      ['trace', 'debug', 'info', 'warn', 'error'],
      'info',
    ),
  }),
} as const;
