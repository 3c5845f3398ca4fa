import type { SettingName } from '../platform/config/settings.ts';

/** Settings of every command that opens a data directory and its store. */
export const STORE_SETTINGS = [
  'data',
  'clickhouseUrl',
  'clickhouseUser',
  'clickhousePassword',
  'clickhouseMemoryMb',
  'logLevel',
  'logFormat',
] as const satisfies readonly SettingName[];

/** Settings of the API. */
export const SERVE_SETTINGS = [
  'host',
  'port',
  'defaultLimit',
  'queryTimeoutMs',
  'blockIdTag',
] as const satisfies readonly SettingName[];

/** Settings of the local chain. */
export const LOCALNET_SETTINGS = [
  'localnetSeed',
  'localnetShards',
  'blockMs',
  'fast',
  'traffic',
] as const satisfies readonly SettingName[];

/** Settings that an indexing run takes beside its source. */
export const INDEX_SETTINGS = [
  ...STORE_SETTINGS,
  'state',
  'isolated',
  'network',
  'epochSize',
  'lanes',
  'verifyLevel',
  'decodeWorkers',
  'batchRows',
  'batchMs',
  'sessionMs',
] as const satisfies readonly SettingName[];
