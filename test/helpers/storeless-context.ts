import type { ServeContext, ServeSettings } from '../../src/api/serve-context.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { DEFAULT_SERVE_SETTINGS } from './serve-settings.ts';
import { baseVector } from './version-vector.ts';

/** An index without a block, and a store that nothing listens on: for what is answered without either. */
export function storelessContext(settings: Partial<ServeSettings> = {}): ServeContext {
  return {
    client: createStoreClient({ url: 'http://127.0.0.1:1' }),
    vector: () => baseVector('none_test', null),
    network: { label: 'test', testnet: false, zerostate: null, isolated: false },
    settings: { ...DEFAULT_SERVE_SETTINGS, ...settings },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    health: async () => ({ deadLetters: 0 }),
  };
}
