import { choice, integer, namesOrAll, pattern, text } from '../setting.ts';
import { secret, withDetails } from '../setting-notes.ts';

/** Settings that most people need on the first day. */
export const COMMON = {
  config: withDetails(
    text('config', 'file of settings, with lines such as port = 8081', 'FILE'),
    'See [Settings file](#settings-file).',
  ),
  source: withDetails(
    text(
      'source',
      'source of blocks: localnet, liteserver, archive:PATH, files:PATH, or archive:PATH,liteserver',
      'SOURCE',
    ),
    'The default of a new data directory is localnet.',
  ),
  network: withDetails(
    text('network', 'network, if the source does not start with block 1: mainnet, or a label', 'NETWORK'),
    'LABEL=ROOTHASH:FILEHASH also gives the hashes of the zerostate, in hex.',
  ),
  data: text('data', 'data directory of the log and the embedded store', 'DIR', './data'),
  projections: withDetails(
    namesOrAll('projections', 'projections to write: base, activity, contracts, traces, actions'),
    'A projection that was off resumes from the stored blocks when it is named again. An index of unrelated blocks (`--isolated`) has only base.',
  ),
  host: text('host', 'address to listen on', 'ADDRESS', '127.0.0.1'),
  port: integer('port', 'port to listen on; 0 selects a free one', { min: 0, max: 65_535, fallback: 8_080 }),
  kafka: pattern('kafka', 'Kafka brokers that store the log, instead of the data directory', {
    value: 'BROKERS',
    regex: /^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/,
    allowed: 'host:port, several with commas',
    alias: 'KAFKA_BROKERS',
  }),
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
  clickhousePassword: secret(text('clickhouse-password', 'password of the ClickHouse user', 'TEXT')),
  logLevel: choice(
    'log-level',
    'lowest level that is logged',
    ['trace', 'debug', 'info', 'warn', 'error'],
    'info',
  ),
} as const;
