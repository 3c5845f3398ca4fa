import type { SettingName } from '../platform/config/settings.ts';

/** Settings of every command that opens the log: its location and log output. */
export const LOG_SETTINGS = [
  'data',
  'kafka',
  'kafkaPrefix',
  'kafkaTls',
  'kafkaCa',
  'kafkaCert',
  'kafkaKey',
  'kafkaSasl',
  'kafkaUser',
  'kafkaPassword',
  'logLevel',
  'logFormat',
] as const satisfies readonly SettingName[];

/** Settings of every command that opens the log and the store. */
export const STORE_SETTINGS = [
  ...LOG_SETTINGS,
  'clickhouseUrl',
  'clickhouseUser',
  'clickhousePassword',
  'clickhouseCluster',
  'clickhouseMemoryMb',
  'clickhouseUnresponsiveMs',
  'lakeDatabase',
  'actionRules',
] as const satisfies readonly SettingName[];

/** Address of the metrics of a long-running command. */
export const METRICS_SETTINGS = ['metricsHost', 'metricsPort'] as const satisfies readonly SettingName[];

/** Settings of the API. */
export const SERVE_SETTINGS = [
  'host',
  'port',
  'sqlPort',
  'defaultLimit',
  'queryTimeoutMs',
  'storeStatements',
  'responseCacheMb',
  'tvmThreads',
  'maxConnections',
  'idleConnections',
  'allowedHost',
  'cors',
  'keylessLimit',
  'rateLimitRedis',
  'trustedProxy',
  'strict',
  'accessLog',
  'deliverHooks',
  'streamConnections',
  'streamAddresses',
  'streamBufferKb',
  'blockIdTag',
  'abi',
  'metadata',
  'ipfsGateway',
  'imageProxy',
  ...METRICS_SETTINGS,
  'clickhouseReadUser',
  'clickhouseReadPassword',
] as const satisfies readonly SettingName[];

/** Settings of the local chain. */
export const LOCALNET_SETTINGS = [
  'localnetSeed',
  'localnetShards',
  'localnetSignatures',
  'blockMs',
  'fast',
  'traffic',
] as const satisfies readonly SettingName[];

/** Settings of a live network. */
const LIVE_SETTINGS = [
  'globalConfig',
  'trust',
  'trustedBlock',
  'from',
] as const satisfies readonly SettingName[];

/** Settings of a new log in addition to its source; an existing log is compared with them. */
export const START_SETTINGS = [
  'state',
  'isolated',
  'network',
  'epochSize',
  'lanes',
  ...LIVE_SETTINGS,
] as const satisfies readonly SettingName[];

/** Settings of the stage `decode`. */
export const DECODE_SETTINGS = [
  'projections',
  'verifyLevel',
  'decodeWorkers',
  'batchRows',
  'batchMs',
  'sessionMs',
] as const satisfies readonly SettingName[];

/** Settings of an indexing run in addition to its source. */
export const INDEX_SETTINGS = [
  ...STORE_SETTINGS,
  ...START_SETTINGS,
  ...DECODE_SETTINGS,
  'keepLog',
] as const satisfies readonly SettingName[];
