import type { ServeSettings } from '../../src/api/serve-context.ts';

/** Settings of the API in tests. */
export const DEFAULT_SERVE_SETTINGS: ServeSettings = {
  defaultLimit: 10,
  maxLimit: 1000,
  blockIdTag: 'auto',
  queryTimeoutMs: 3000,
  storeStatements: 16,
  responseCacheBytes: 64 * 1024 * 1024,
  maxConnections: 1000,
  idleConnections: null,
  allowedHosts: [],
  cors: 'off',
  strict: false,
  logsAccess: false,
  keylessLimit: null,
  trustedProxies: [],
  showsMetrics: true,
  streamConnections: null,
  streamAddresses: 1_000,
  streamBufferBytes: 1024 * 1024,
};
