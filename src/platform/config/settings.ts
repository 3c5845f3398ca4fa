import {
  choice,
  integer,
  integerOrAuto,
  list,
  origins,
  pattern,
  type Setting,
  text,
  toggle,
} from './setting.ts';

/**
 * Every setting of tonhouse. Commands pick the ones they take; flags win over the environment, the environment over
 * defaults. The README's table is generated from this file (scripts/generate-settings-table.ts).
 */
export const SETTINGS = {
  data: text('data', 'data directory: log, store and their locks', 'DIR', './data'),
  source: text(
    'source',
    'where blocks come from: localnet, archive:PATH or files:PATH; of a new data directory localnet is the default',
    'SOURCE',
  ),
  state: list('state', 'a zerostate or later shard state to start from (repeatable)', 'FILE'),
  isolated: toggle(
    'isolated',
    'take the source as unrelated blocks, without continuity, into a data directory of its own',
  ),
  network: text(
    'network',
    'network of a start in mid-chain: mainnet, a label, or LABEL=ROOTHASH:FILEHASH of the zerostate (hex)',
    'NETWORK',
  ),
  epochSize: integer(
    'epoch-size',
    'masterchain blocks per epoch; fixed when the data directory is made',
    1,
    10_000_000,
    200_000,
  ),
  lanes: integer('lanes', 'lanes of the log; fixed when the data directory is made', 1, 1024, 8),
  verifyLevel: choice(
    'verify-level',
    'what decoding proves: nothing, the file hash, also transaction and message hashes, also every cell and the Merkle update; auto is tx, and root for isolated blocks, which have no other proof',
    ['auto', 'none', 'file', 'tx', 'root'],
    'auto',
  ),
  decodeWorkers: integerOrAuto(
    'decode-workers',
    'threads that decode; 0 decodes on the main thread, auto takes the cores but one, 1 to 4',
    0,
    64,
  ),
  batchRows: integer('batch-rows', 'transactions that make a batch full', 1, 1_000_000, 20_000),
  batchMs: integer('batch-ms', 'longest wait for a batch to fill at the head, milliseconds', 0, 60_000, 200),
  sessionMs: integer(
    'session-ms',
    'a stage silent for this long loses its lanes, milliseconds',
    1_000,
    600_000,
    15_000,
  ),
  keepLog: toggle(
    'keep-log',
    "keep blocks in the data directory's log although the store holds them; else epochs below the head's are freed",
  ),
  localnetSeed: text('localnet-seed', 'keys and genesis of a local chain follow from it', 'TEXT', 'localnet'),
  localnetShards: integer('localnet-shards', 'shards of the local basechain', 1, 4, 1),
  blockMs: integer(
    'block-ms',
    'time between blocks of a local chain with work, milliseconds',
    0,
    600_000,
    400,
  ),
  fast: toggle('fast', 'make blocks of a local chain as quickly as there is work'),
  traffic: integer('traffic', 'transactions a second that a local chain makes up', 0, 10_000, 0),
  host: text('host', 'address to listen on', 'ADDRESS', '127.0.0.1'),
  port: integer('port', 'port to listen on; 0 takes a free one', 0, 65_535, 8_080),
  defaultLimit: integer('default-limit', 'rows of a list when the request names no limit', 1, 1_000, 10),
  queryTimeoutMs: integer(
    'query-timeout-ms',
    'longest time of an answer of the API, all its statements together, milliseconds',
    50,
    600_000,
    3_000,
  ),
  storeStatements: integer(
    'store-statements',
    'statements of the API at the store at the same time; more wait in turn, then are answered 503',
    1,
    1_000,
    16,
  ),
  responseCacheMb: integer(
    'answer-memory-mb',
    'size of the response cache of v3, MB: answers are cached until the next block is visible, at most a minute; 0 for none',
    0,
    65_536,
    64,
  ),
  tvmThreads: integerOrAuto(
    'tvm-threads',
    'threads that run get methods and estimates, about 120 MB each once used; auto takes half of the cores, 2 to 4',
    1,
    64,
  ),
  maxConnections: integer(
    'max-connections',
    'connections of clients at the same time; further ones are closed at once',
    1,
    100_000,
    1_000,
  ),
  allowedHost: list(
    'allowed-host',
    'a name that requests may call the server by (repeatable); on loopback only its own names are allowed without this',
    'NAME',
  ),
  cors: origins(
    'cors',
    'web pages that may use the API: off, * to read from any page, or origins with commas, which may send messages too',
  ),
  blockIdTag: choice(
    'block-id-tag',
    'the @type of block ids in v2: auto is chain.blockIdExt on REST and ton.blockIdExt on /jsonRPC',
    ['auto', 'chain.blockIdExt', 'ton.blockIdExt'],
    'auto',
  ),
  kafka: {
    ...pattern(
      'kafka',
      'brokers of Kafka that hold the log, instead of the data directory (also KAFKA_BROKERS)',
      'BROKERS',
      /^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/,
      'host:port, several with commas',
    ),
    alias: 'KAFKA_BROKERS',
  },
  kafkaPrefix: {
    ...pattern(
      'kafka-prefix',
      'begins the names of the topics; one a log, and so one a network',
      'PREFIX',
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      'letters, digits, dots, underscores and dashes, at most 100',
    ),
    fallback: 'tonhouse',
  },
  kafkaTls: toggle('kafka-tls', 'connect to the brokers by TLS; implied by the files below'),
  kafkaCa: text('kafka-ca', 'certificate of the authority that signed those of the brokers, PEM', 'FILE'),
  kafkaCert: text('kafka-cert', 'certificate of this client, PEM', 'FILE'),
  kafkaKey: text('kafka-key', 'key of that certificate, PEM', 'FILE'),
  kafkaSasl: choice(
    'kafka-sasl',
    'how user and password are shown to the brokers',
    ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    'none',
  ),
  kafkaUser: text('kafka-user', 'user of the brokers', 'NAME'),
  kafkaPassword: text('kafka-password', 'password of that user; better from the environment', 'TEXT'),
  clickhouseUrl: {
    ...pattern(
      'clickhouse-url',
      'a ClickHouse server to use instead of the embedded one (also CLICKHOUSE_URL)',
      'URL',
      /^https?:\/\/\S+$/,
      'an http:// or https:// address',
    ),
    alias: 'CLICKHOUSE_URL',
  },
  clickhouseUser: text('clickhouse-user', 'user of that server', 'NAME', 'default'),
  clickhousePassword: text('clickhouse-password', 'password of that server', 'TEXT'),
  clickhouseReadUser: text(
    'clickhouse-read-user',
    'user of that server that answers are read as: one of clickhouse/reader.xml, who can do nothing else',
    'NAME',
  ),
  clickhouseReadPassword: text('clickhouse-read-password', 'password of that reader', 'TEXT'),
  clickhouseCluster: pattern(
    'clickhouse-cluster',
    'the cluster that this server is one of: tables are replicated, and spread over its shards',
    'NAME',
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
    'letters, digits, underscores and dashes, at most 64, beginning with a letter',
  ),
  clickhouseMemoryMb: integer(
    'clickhouse-memory-mb',
    'memory limit of the embedded server, megabytes',
    512,
    1_048_576,
    4_096,
  ),
  clickhouseDeafMs: integer(
    'clickhouse-deaf-ms',
    'an embedded server that runs and answers nothing for this long is started again, milliseconds',
    1_000,
    3_600_000,
    60_000,
  ),
  logLevel: choice(
    'log-level',
    'least level that is logged',
    ['trace', 'debug', 'info', 'warn', 'error'],
    'info',
  ),
  logFormat: choice('log-format', 'plain lines for people or JSON for machines', ['plain', 'json'], 'plain'),
} as const;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** Type of a setting's value; settings without a default may be absent. */
export type SettingValue<K extends SettingName> = Settings[K] extends Setting<infer T> ? T : never;

/** Values by name; absent ones have no default and were not given. */
export type SettingValues = { readonly [K in SettingName]?: SettingValue<K> };
