import {
  choice,
  integer,
  integerOrAuto,
  limitOrAuto,
  list,
  optionalInteger,
  optionalText,
  origins,
  pattern,
  subnets,
  text,
  toggle,
} from '../setting.ts';
import { formerly, inGroup, secret, withDetails } from '../setting-notes.ts';

/** Settings of the answers of the API. */
export const ANSWERS = {
  ...inGroup('api', {
    defaultLimit: integer('default-limit', 'rows of a list if the request sets no limit', {
      min: 1,
      max: 1_000,
      fallback: 10,
    }),
    queryTimeoutMs: withDetails(
      integer('query-timeout-ms', 'milliseconds that an answer may take', {
        min: 50,
        max: 600_000,
        fallback: 3_000,
      }),
      'Includes all statements of the answer.',
    ),
    storeStatements: withDetails(
      integer('store-statements', 'statements of the API that run in the store at the same time', {
        min: 1,
        max: 1_000,
        fallback: 16,
      }),
      'Further statements wait in a queue. If that takes too long, the answer is 503.',
    ),
    responseCacheMb: formerly(
      withDetails(
        integer('response-cache-mb', 'size of the v3 response cache in MB; 0 disables it', {
          min: 0,
          max: 65_536,
          fallback: 64,
        }),
        'Answers are cached until the next block is visible, at most for a minute.',
      ),
      'answer-memory-mb',
    ),
  }),
  apiProcesses: withDetails(
    integer('api-processes', 'processes that answer requests', { min: 1, max: 64, fallback: 1 }),
    'They share the port, the look-up index and the limits of clients: docs/operations.md.',
  ),
  ...inGroup('serve', {
    lookupIndex: withDetails(
      text(
        'lookup-index',
        'index of the API that saves statements: auto, on, off, or the folder of its files',
        'WORD',
        'auto',
      ),
      'auto fills it when requests need it, while the disk has three times its size free. on and a folder fill it at once. auto and on use `lookup` in the data directory. One process at a time uses a folder.',
    ),
    tvmThreads: withDetails(
      integerOrAuto('tvm-threads', 'threads that run get methods and emulation', { min: 1, max: 64 }),
      'auto uses half of the processors: at least 2, at most 4. A thread uses about 120 MB. A spare thread starts after one is lost.',
    ),
  }),
  ...inGroup('api', {
    strict: withDetails(
      toggle('strict', 'refuse requests with unknown parameters, and suggest the right names'),
      'A request can override this with `strict=0` or `strict=1`.',
    ),
    blockIdTag: withDetails(
      choice(
        'block-id-tag',
        'the @type of block ids in v2',
        ['auto', 'chain.blockIdExt', 'ton.blockIdExt'],
        'auto',
      ),
      'auto is chain.blockIdExt on REST routes and ton.blockIdExt on `/jsonRPC`.',
    ),
  }),
  ...inGroup('serve', {
    abi: withDetails(
      optionalText('abi', 'folder of your own layouts for message bodies', 'DIR'),
      '`.tlb` files in TL-B, `.abi` files of contracts.',
    ),
    sqlPort: withDetails(
      optionalInteger('sql-port', "port of ClickHouse's HTTP interface for analysts; 0 selects a free one", {
        min: 0,
        max: 65_535,
      }),
      'Listens at `--host`. The API has the same under `/sql`.',
    ),
    sqlStatements: withDetails(
      integer('sql-statements', 'statements of one caller of SQL at the same time', {
        min: 1,
        max: 16,
        fallback: 6,
      }),
      'A caller is a named user, an API key, or the address of a client without a password. All callers share 16.',
    ),
  }),
  ...inGroup('up', {
    liteserverPort: withDetails(
      optionalInteger('liteserver-port', 'port of a lite server over the chain; 0 selects a free one', {
        min: 0,
        max: 65_535,
      }),
      'Listens at `--host`. Writes `liteserver/global.config.json` in the data directory, which TON clients accept.',
    ),
  }),
} as const;

/** Settings of who may use the API, and how much. */
export const ACCESS = {
  ...inGroup('api', {
    maxConnections: withDetails(
      integer('max-connections', 'open connections of all clients', {
        min: 1,
        max: 100_000,
        fallback: 1_000,
      }),
      'Further connections are closed at once.',
    ),
  }),
  ...inGroup('limits', {
    idleConnections: withDetails(
      limitOrAuto('idle-connections', 'idle connections of one client address', { min: 1, max: 100_000 }),
      'Beyond the limit, the connection that has been idle longest is closed. Trusted proxies have no limit. auto is 100 if clients without a key have a limit, else off.',
    ),
  }),
  ...inGroup('api', {
    allowedHost: withDetails(
      list('allowed-host', 'host name by which clients may call the server', 'NAME'),
      'Without it, a server on loopback accepts only its own names.',
    ),
    cors: withDetails(
      origins('cors', 'web pages that may use the API: off, * or origins'),
      '`*` lets every page read. Pages of listed origins may also send messages.',
    ),
  }),
  ...inGroup('limits', {
    keylessLimit: withDetails(
      limitOrAuto('keyless-limit', 'requests per second of a client address without an API key', {
        min: 1,
        max: 1_000_000,
      }),
      'auto is off on loopback without a trusted proxy, else 1. off also ignores keys.',
    ),
  }),
  ...inGroup('serve', {
    rateLimitRedis: withDetails(
      secret(
        pattern('rate-limit-redis', 'Redis-compatible server that counts requests for several machines', {
          value: 'URL',
          regex: /^rediss?:\/\/\S+$/,
          allowed: 'redis://[user:password@]host[:port][/database], or rediss:// for TLS',
        }),
      ),
      'Without it, the servers of one data directory count together. Other users of the machine can read a password in a flag: use the environment or the settings file.',
    ),
  }),
  ...inGroup('api', {
    trustedProxy: subnets('trusted-proxy', 'proxy whose X-Forwarded-For header names the client'),
  }),
} as const;

/** Settings of streams and webhooks. */
export const STREAMS = {
  ...inGroup('limits', {
    streamConnections: withDetails(
      limitOrAuto('stream-connections', 'open streams of one client (its key or address)', {
        min: 1,
        max: 100_000,
      }),
      'auto is 2 if clients without a key have a limit, else off.',
    ),
  }),
  ...inGroup('api', {
    streamAddresses: integer('stream-addresses', 'addresses that one stream may watch', {
      min: 1,
      max: 100_000,
      fallback: 1_000,
    }),
    streamBufferKb: withDetails(
      integer('stream-buffer-kb', 'KB of events that may wait for the client of one stream', {
        min: 16,
        max: 1_048_576,
        fallback: 1_024,
      }),
      'Beyond it, events are sent as the client reads. A client that stays too slow is disconnected.',
    ),
  }),
  ...inGroup('serve', {
    deliverHooks: withDetails(
      toggle('deliver-hooks', 'deliver webhooks, which `tonhouse hooks` manages'),
      'One process of a network delivers. Another takes over when it ends.',
    ),
  }),
} as const;

/** Settings of the content of tokens. */
export const TOKENS = inGroup('tokens', {
  metadata: withDetails(
    choice('metadata', 'token content behind links: ignore it or fetch it', ['off', 'fetch'], 'off'),
    'fetch loads it from the public internet when an answer needs it.',
  ),
  ipfsGateway: pattern('ipfs-gateway', 'gateway for ipfs:// links of tokens', {
    value: 'URL',
    regex: /^https?:\/\/\S+\/$/,
    allowed: 'an http:// or https:// address that ends with a slash',
    fallback: 'https://ipfs.io/ipfs/',
  }),
  imageProxy: withDetails(
    secret(
      pattern('image-proxy', 'imgproxy server that resizes token images for clients', {
        value: 'URL',
        regex: /^https?:\/\/(?:(?:[0-9a-f]{2})+:(?:[0-9a-f]{2})+@)?[^\s@/?#]+(?:\/[^\s?#]*)?$/i,
        allowed: 'http(s)://[KEY:SALT@]host[:port][/path], key and salt in hex',
      }),
    ),
    'Answers contain its addresses, with the presets small, medium and big. They are signed if key and salt are given: use the environment or the settings file for these.',
  ),
});
