import {
  choice,
  integer,
  integerOrAuto,
  limitOrAuto,
  list,
  namesOrAll,
  optionalInteger,
  origins,
  pattern,
  type Setting,
  subnets,
  text,
  toggle,
} from './setting.ts';

/**
 * Every setting of tonhouse. Commands pick the ones they take; flags win over the environment, the environment over
 * defaults. The table of docs/settings.md is generated from this file (scripts/generate-settings-table.ts).
 */
export const SETTINGS = {
  data: text('data', 'data directory: log, store and their locks', 'DIR', './data'),
  source: text(
    'source',
    'source of blocks: localnet, archive:PATH or files:PATH; a new data directory uses localnet by default',
    'SOURCE',
  ),
  state: list('state', 'zerostate or later shard state to start from (repeatable)', 'FILE'),
  isolated: toggle(
    'isolated',
    'index unrelated blocks without a chain, into a separate data directory; such an index has only the projection base',
  ),
  network: text(
    'network',
    'network, if the source does not start with block 1: mainnet, a label, or LABEL=ROOTHASH:FILEHASH of the zerostate (hex)',
    'NETWORK',
  ),
  epochSize: integer('epoch-size', 'masterchain blocks per epoch; fixed when the data directory is made', {
    min: 1,
    max: 10_000_000,
    fallback: 200_000,
  }),
  lanes: integer('lanes', 'lanes of the log; fixed when the data directory is made', {
    min: 1,
    max: 1024,
    fallback: 8,
  }),
  verifyLevel: choice(
    'verify-level',
    'what decoding verifies: none; file: the file hash; tx: also transaction and message hashes; root: also every cell and the Merkle update. auto is root for isolated blocks, otherwise tx',
    ['auto', 'none', 'file', 'tx', 'root'],
    'auto',
  ),
  decodeWorkers: integerOrAuto(
    'decode-workers',
    'threads that decode; 0 uses the main thread, auto uses all cores except one, 1 to 4',
    { min: 0, max: 64 },
  ),
  batchRows: integer('batch-rows', 'transactions per batch', {
    min: 1,
    max: 1_000_000,
    fallback: 20_000,
  }),
  batchMs: integer('batch-ms', 'longest wait for a batch to fill at the head, in milliseconds', {
    min: 0,
    max: 60_000,
    fallback: 200,
  }),
  restMs: integer(
    'rest-ms',
    'longest delay of writing new blocks while the API of this process gets no requests, in milliseconds; a sixth of it with many transactions; 0: no delay',
    { min: 0, max: 600_000, fallback: 60_000 },
  ),
  sessionMs: integer(
    'session-ms',
    'a stage loses its lanes after this time without a sign of life, in milliseconds',
    {
      min: 1_000,
      max: 600_000,
      fallback: 15_000,
    },
  ),
  projections: namesOrAll(
    'projections',
    'projections that this process writes: base, activity, contracts, traces, actions; a projection that was off continues from the stored blocks; an index of unrelated blocks (--isolated) has only base',
  ),
  actionRules: choice(
    'action-rules',
    'release of TON Center whose rules classify actions; `tonhouse replay actions` applies a change to stored actions',
    ['1.2', '1.3'],
    '1.2',
  ),
  keepLog: toggle(
    'keep-log',
    'keep all blocks in the embedded log; otherwise epochs that the store holds are freed',
  ),
  localnetSeed: text('localnet-seed', 'determines keys and genesis of a local chain', 'TEXT', 'localnet'),
  localnetShards: integer('localnet-shards', 'shards of the local basechain', {
    min: 1,
    max: 4,
    fallback: 1,
  }),
  blockMs: integer('block-ms', 'time between blocks of a local chain with work, in milliseconds', {
    min: 0,
    max: 600_000,
    fallback: 400,
  }),
  fast: toggle('fast', 'make blocks of a local chain as fast as there is work'),
  traffic: integer('traffic', 'transactions per second that a local chain generates', {
    min: 0,
    max: 10_000,
    fallback: 0,
  }),
  host: text('host', 'address to listen on', 'ADDRESS', '127.0.0.1'),
  port: integer('port', 'port to listen on; 0 takes a free one', { min: 0, max: 65_535, fallback: 8_080 }),
  defaultLimit: integer('default-limit', 'rows of a list if the request has no limit', {
    min: 1,
    max: 1_000,
    fallback: 10,
  }),
  queryTimeoutMs: integer(
    'query-timeout-ms',
    'time limit of an API answer for all its statements together, in milliseconds',
    { min: 50, max: 600_000, fallback: 3_000 },
  ),
  storeStatements: integer(
    'store-statements',
    'concurrent statements of the API; more wait, then return 503',
    { min: 1, max: 1_000, fallback: 16 },
  ),
  responseCacheMb: integer(
    'answer-memory-mb',
    'size of the response cache of v3, in MB; answers are cached until the next block is visible, at most a minute; 0 disables it',
    { min: 0, max: 65_536, fallback: 64 },
  ),
  tvmThreads: integerOrAuto(
    'tvm-threads',
    'threads that run get methods and estimates, with about 120 MB each; after one was terminated, a spare thread is kept; auto uses half of the cores, 2 to 4',
    { min: 1, max: 64 },
  ),
  maxConnections: integer(
    'max-connections',
    'concurrent connections of clients; further ones are closed at once',
    { min: 1, max: 100_000, fallback: 1_000 },
  ),
  idleConnections: limitOrAuto(
    'idle-connections',
    'idle connections per client address; beyond it the longest-idle one is closed; a trusted proxy has no limit; auto is 100 if clients without a key are limited, otherwise off',
    { min: 1, max: 100_000 },
  ),
  allowedHost: list(
    'allowed-host',
    'host name that requests may use (repeatable); by default, only own names are allowed on loopback',
    'NAME',
  ),
  cors: origins(
    'cors',
    'web pages that may use the API: off; * allows reading from any page; origins with commas may also send messages',
  ),
  keylessLimit: limitOrAuto(
    'keyless-limit',
    'requests per second of a client address without an API key; auto is off on loopback without a trusted proxy, otherwise 1; off also ignores keys',
    { min: 1, max: 1_000_000 },
  ),
  rateLimitRedis: pattern(
    'rate-limit-redis',
    'Redis-compatible server that counts requests of clients for servers on several machines; by default, servers of one data directory count together. Set a URL with a password by the environment',
    {
      value: 'URL',
      regex: /^rediss?:\/\/\S+$/,
      allowed: 'redis://[user:password@]host[:port][/database], or rediss:// for TLS',
    },
  ),
  strict: toggle(
    'strict',
    'refuse requests with unknown parameters and name the known ones; a request may set strict=0 or strict=1',
  ),
  trustedProxy: subnets(
    'trusted-proxy',
    'address or subnet of a proxy whose X-Forwarded-For contains the client (repeatable)',
  ),
  accessLog: toggle('access-log', 'log each request with its id, client, status, time and size'),
  abi: text(
    'abi',
    'folder with more layouts for message bodies: .tlb files in TL-B, .abi files of contracts',
    'DIR',
  ),
  deliverHooks: toggle(
    'deliver-hooks',
    'deliver webhooks (`tonhouse hooks`); one process of a network delivers, and another continues when it ends',
  ),
  streamConnections: limitOrAuto(
    'stream-connections',
    'concurrent streams of a client (key or address); auto is 2 if clients without a key are limited, otherwise off',
    { min: 1, max: 100_000 },
  ),
  streamAddresses: integer('stream-addresses', 'addresses per stream', {
    min: 1,
    max: 100_000,
    fallback: 1_000,
  }),
  streamBufferKb: integer(
    'stream-buffer-kb',
    'waiting events of one stream, in KB; beyond it events are sent as fast as the client reads, and a client that stays late is dropped',
    { min: 16, max: 1_048_576, fallback: 1_024 },
  ),
  metadata: choice(
    'metadata',
    'linked content of tokens: off, or fetch it from the public internet when an answer needs it',
    ['off', 'fetch'],
    'off',
  ),
  ipfsGateway: pattern('ipfs-gateway', 'gateway for ipfs:// links of tokens', {
    value: 'URL',
    regex: /^https?:\/\/\S+\/$/,
    allowed: 'an http:// or https:// address that ends with a slash',
    fallback: 'https://ipfs.io/ipfs/',
  }),
  imageProxy: pattern(
    'image-proxy',
    'imgproxy for token images, with the presets small, medium and big; answers contain its URLs, signed if key and salt are given. Set key and salt by the environment',
    {
      value: 'URL',
      regex: /^https?:\/\/(?:(?:[0-9a-f]{2})+:(?:[0-9a-f]{2})+@)?[^\s@/?#]+(?:\/[^\s?#]*)?$/i,
      allowed: 'http(s)://[KEY:SALT@]host[:port][/path], key and salt in hex',
    },
  ),
  metricsHost: text('metrics-host', 'address that --metrics-port listens on', 'ADDRESS', '127.0.0.1'),
  metricsPort: optionalInteger(
    'metrics-port',
    'separate port for /metrics; 0 takes a free one. By default, the API serves /metrics, and commands without an API have none',
    { min: 0, max: 65_535 },
  ),
  blockIdTag: choice(
    'block-id-tag',
    'the @type of block ids in v2: auto is chain.blockIdExt on REST and ton.blockIdExt on /jsonRPC',
    ['auto', 'chain.blockIdExt', 'ton.blockIdExt'],
    'auto',
  ),
  kafka: pattern('kafka', 'Kafka brokers with the log, instead of the data directory (also KAFKA_BROKERS)', {
    value: 'BROKERS',
    regex: /^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/,
    allowed: 'host:port, several with commas',
    alias: 'KAFKA_BROKERS',
  }),
  kafkaPrefix: pattern('kafka-prefix', 'start of topic names; each network needs its own', {
    value: 'PREFIX',
    regex: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    allowed: 'letters, digits, dots, underscores and dashes, at most 100',
    fallback: 'tonhouse',
  }),
  kafkaTls: toggle('kafka-tls', 'connect to the brokers by TLS; implied by the files below'),
  kafkaCa: text('kafka-ca', 'certificate of the authority of the brokers, PEM', 'FILE'),
  kafkaCert: text('kafka-cert', 'certificate of this client, PEM', 'FILE'),
  kafkaKey: text('kafka-key', 'key of that certificate, PEM', 'FILE'),
  kafkaSasl: choice(
    'kafka-sasl',
    'SASL mechanism for user and password',
    ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    'none',
  ),
  kafkaUser: text('kafka-user', 'user of the brokers', 'NAME'),
  kafkaPassword: text('kafka-password', 'password of that user; set it by the environment', 'TEXT'),
  clickhouseUrl: pattern(
    'clickhouse-url',
    'ClickHouse server to use instead of the embedded one (also CLICKHOUSE_URL)',
    {
      value: 'URL',
      regex: /^https?:\/\/\S+$/,
      allowed: 'an http:// or https:// address',
      alias: 'CLICKHOUSE_URL',
    },
  ),
  clickhouseUser: text('clickhouse-user', 'user of that server', 'NAME', 'default'),
  clickhousePassword: text('clickhouse-password', 'password of that server', 'TEXT'),
  clickhouseReadUser: text(
    'clickhouse-read-user',
    'user of that server for reading answers, from clickhouse/reader.xml; it can only read',
    'NAME',
  ),
  clickhouseReadPassword: text('clickhouse-read-password', 'password of that user', 'TEXT'),
  clickhouseCluster: pattern(
    'clickhouse-cluster',
    'cluster of that server; tables are replicated and distributed over its shards',
    {
      value: 'NAME',
      regex: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      allowed: 'letters, digits, underscores and dashes, at most 64, beginning with a letter',
    },
  ),
  clickhouseMemoryMb: integer('clickhouse-memory-mb', 'memory limit of the embedded server, in MB', {
    min: 512,
    max: 1_048_576,
    fallback: 4_096,
  }),
  clickhouseDeafMs: integer(
    'clickhouse-deaf-ms',
    'the embedded server is restarted if it does not answer for this time, in milliseconds',
    { min: 1_000, max: 3_600_000, fallback: 60_000 },
  ),
  logLevel: choice(
    'log-level',
    'lowest level that is logged',
    ['trace', 'debug', 'info', 'warn', 'error'],
    'info',
  ),
  logFormat: choice('log-format', 'plain lines or JSON', ['plain', 'json'], 'plain'),
} as const;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** Type of a setting's value; settings without a default may be absent. */
export type SettingValue<K extends SettingName> = Settings[K] extends Setting<infer T> ? T : never;
