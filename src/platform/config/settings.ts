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
    'where blocks come from: localnet, archive:PATH or files:PATH; of a new data directory localnet is the default',
    'SOURCE',
  ),
  state: list('state', 'a zerostate or later shard state to start from (repeatable)', 'FILE'),
  isolated: toggle(
    'isolated',
    'take the source as unrelated blocks, without continuity, into a data directory of its own; such an index has only the projection base',
  ),
  network: text(
    'network',
    'network of a start in mid-chain: mainnet, a label, or LABEL=ROOTHASH:FILEHASH of the zerostate (hex)',
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
    'what decoding proves: nothing, the file hash, also transaction and message hashes, also every cell and the Merkle update; auto is tx, and root for isolated blocks, which have no other proof',
    ['auto', 'none', 'file', 'tx', 'root'],
    'auto',
  ),
  decodeWorkers: integerOrAuto(
    'decode-workers',
    'threads that decode; 0 decodes on the main thread, auto takes the cores but one, 1 to 4',
    { min: 0, max: 64 },
  ),
  batchRows: integer('batch-rows', 'transactions that make a batch full', {
    min: 1,
    max: 1_000_000,
    fallback: 20_000,
  }),
  batchMs: integer('batch-ms', 'longest wait for a batch to fill at the head, milliseconds', {
    min: 0,
    max: 60_000,
    fallback: 200,
  }),
  restMs: integer(
    'rest-ms',
    'longest time that the newest blocks wait to be written while nobody asks the API of this process, milliseconds; a sixth of it where many come; 0: they never wait',
    { min: 0, max: 600_000, fallback: 60_000 },
  ),
  sessionMs: integer('session-ms', 'a stage silent for this long loses its lanes, milliseconds', {
    min: 1_000,
    max: 600_000,
    fallback: 15_000,
  }),
  projections: namesOrAll(
    'projections',
    'projections that this process writes: base, activity, contracts, traces, actions; one that was off goes on from the stored blocks when it is named again; an index of unrelated blocks (--isolated) has only base',
  ),
  actionRules: choice(
    'action-rules',
    'release of TON Center whose rules make actions of traces; a stored version keeps its own until `tonhouse replay actions` builds one with these',
    ['1.2', '1.3'],
    '1.2',
  ),
  keepLog: toggle(
    'keep-log',
    "keep blocks in the data directory's log although the store holds them; else epochs below the head's are freed",
  ),
  localnetSeed: text('localnet-seed', 'keys and genesis of a local chain follow from it', 'TEXT', 'localnet'),
  localnetShards: integer('localnet-shards', 'shards of the local basechain', {
    min: 1,
    max: 4,
    fallback: 1,
  }),
  blockMs: integer('block-ms', 'time between blocks of a local chain with work, milliseconds', {
    min: 0,
    max: 600_000,
    fallback: 400,
  }),
  fast: toggle('fast', 'make blocks of a local chain as quickly as there is work'),
  traffic: integer('traffic', 'transactions a second that a local chain makes up', {
    min: 0,
    max: 10_000,
    fallback: 0,
  }),
  host: text('host', 'address to listen on', 'ADDRESS', '127.0.0.1'),
  port: integer('port', 'port to listen on; 0 takes a free one', { min: 0, max: 65_535, fallback: 8_080 }),
  defaultLimit: integer('default-limit', 'rows of a list when the request names no limit', {
    min: 1,
    max: 1_000,
    fallback: 10,
  }),
  queryTimeoutMs: integer(
    'query-timeout-ms',
    'longest time of an answer of the API, all its statements together, milliseconds',
    { min: 50, max: 600_000, fallback: 3_000 },
  ),
  storeStatements: integer(
    'store-statements',
    'statements of the API at the store at the same time; more wait in turn, then are answered 503',
    { min: 1, max: 1_000, fallback: 16 },
  ),
  responseCacheMb: integer(
    'answer-memory-mb',
    'size of the response cache of v3, MB: answers are cached until the next block is visible, at most a minute; 0 for none',
    { min: 0, max: 65_536, fallback: 64 },
  ),
  tvmThreads: integerOrAuto(
    'tvm-threads',
    'threads that run get methods and estimates, about 120 MB each once used, and one more stands by once one was lost; auto takes half of the cores, 2 to 4',
    { min: 1, max: 64 },
  ),
  maxConnections: integer(
    'max-connections',
    'connections of clients at the same time; further ones are closed at once',
    { min: 1, max: 100_000, fallback: 1_000 },
  ),
  idleConnections: limitOrAuto(
    'idle-connections',
    'connections of a client address that wait for a request, at the same time: beyond it the one that waits longest ends; a trusted proxy has no bound; auto is 100 where the limit of clients without a key is kept, else off',
    { min: 1, max: 100_000 },
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
  keylessLimit: limitOrAuto(
    'keyless-limit',
    'requests per second of a client (address) without an API key; auto is off on loopback without a trusted proxy, else 1; off looks at no keys either',
    { min: 1, max: 1_000_000 },
  ),
  rateLimitRedis: pattern(
    'rate-limit-redis',
    'a Redis-compatible server that counts the requests of clients for servers on several machines; without it those of a data directory count together. A password in it is better given by the environment',
    {
      value: 'URL',
      regex: /^rediss?:\/\/\S+$/,
      allowed: 'redis://[user:password@]host[:port][/database], or rediss:// for TLS',
    },
  ),
  strict: toggle(
    'strict',
    'refuse requests with parameters that an endpoint does not know, and name the right ones; a request may say strict=0 or strict=1',
  ),
  trustedProxy: subnets(
    'trusted-proxy',
    'address or subnet of a proxy whose X-Forwarded-For names the client (repeatable)',
  ),
  accessLog: toggle('access-log', 'log a line for every request, with its id, client, status, time and size'),
  abi: text(
    'abi',
    'folder of layouts that message bodies are decoded by too: .tlb files in TL-B, .abi files of contracts',
    'DIR',
  ),
  deliverHooks: toggle(
    'deliver-hooks',
    'deliver webhooks (`tonhouse hooks`): of several processes of a network with it one delivers, and another goes on when that ends',
  ),
  streamConnections: limitOrAuto(
    'stream-connections',
    'streams of a client (its key, or its address) at the same time; auto is 2 where the limit of clients without a key is kept, else off',
    { min: 1, max: 100_000 },
  ),
  streamAddresses: integer('stream-addresses', 'addresses that one stream may watch', {
    min: 1,
    max: 100_000,
    fallback: 1_000,
  }),
  streamBufferKb: integer(
    'stream-buffer-kb',
    'events of one stream that may wait for its reader, KB; beyond it they are sent as it reads, and one that stays behind is dropped',
    { min: 16, max: 1_048_576, fallback: 1_024 },
  ),
  metadata: choice(
    'metadata',
    'content of tokens behind links: off, or fetch it from the public internet as answers ask for it',
    ['off', 'fetch'],
    'off',
  ),
  ipfsGateway: pattern('ipfs-gateway', 'gateway that ipfs:// links of tokens are fetched from', {
    value: 'URL',
    regex: /^https?:\/\/\S+\/$/,
    allowed: 'an http:// or https:// address that ends with a slash',
    fallback: 'https://ipfs.io/ipfs/',
  }),
  imageProxy: pattern(
    'image-proxy',
    'imgproxy whose addresses of the images of tokens answers carry, with its presets small, medium and big; with key and salt they are signed. Those are better given by the environment',
    {
      value: 'URL',
      regex: /^https?:\/\/(?:(?:[0-9a-f]{2})+:(?:[0-9a-f]{2})+@)?[^\s@/?#]+(?:\/[^\s?#]*)?$/i,
      allowed: 'http(s)://[KEY:SALT@]host[:port][/path], key and salt in hex',
    },
  ),
  metricsHost: text('metrics-host', 'address that --metrics-port listens on', 'ADDRESS', '127.0.0.1'),
  metricsPort: optionalInteger(
    'metrics-port',
    'port of its own for /metrics; 0 takes a free one. Without it the API answers /metrics, other commands show none',
    { min: 0, max: 65_535 },
  ),
  blockIdTag: choice(
    'block-id-tag',
    'the @type of block ids in v2: auto is chain.blockIdExt on REST and ton.blockIdExt on /jsonRPC',
    ['auto', 'chain.blockIdExt', 'ton.blockIdExt'],
    'auto',
  ),
  kafka: pattern(
    'kafka',
    'brokers of Kafka that hold the log, instead of the data directory (also KAFKA_BROKERS)',
    {
      value: 'BROKERS',
      regex: /^[^\s,:]+:\d{1,5}(,[^\s,:]+:\d{1,5})*$/,
      allowed: 'host:port, several with commas',
      alias: 'KAFKA_BROKERS',
    },
  ),
  kafkaPrefix: pattern('kafka-prefix', 'begins the names of the topics; one a log, and so one a network', {
    value: 'PREFIX',
    regex: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    allowed: 'letters, digits, dots, underscores and dashes, at most 100',
    fallback: 'tonhouse',
  }),
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
  clickhouseUrl: pattern(
    'clickhouse-url',
    'a ClickHouse server to use instead of the embedded one (also CLICKHOUSE_URL)',
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
    'user of that server that answers are read as: one of clickhouse/reader.xml, who can do nothing else',
    'NAME',
  ),
  clickhouseReadPassword: text('clickhouse-read-password', 'password of that reader', 'TEXT'),
  clickhouseCluster: pattern(
    'clickhouse-cluster',
    'the cluster that this server is one of: tables are replicated, and spread over its shards',
    {
      value: 'NAME',
      regex: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      allowed: 'letters, digits, underscores and dashes, at most 64, beginning with a letter',
    },
  ),
  clickhouseMemoryMb: integer('clickhouse-memory-mb', 'memory limit of the embedded server, megabytes', {
    min: 512,
    max: 1_048_576,
    fallback: 4_096,
  }),
  clickhouseDeafMs: integer(
    'clickhouse-deaf-ms',
    'an embedded server that runs and answers nothing for this long is restarted, milliseconds',
    { min: 1_000, max: 3_600_000, fallback: 60_000 },
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
