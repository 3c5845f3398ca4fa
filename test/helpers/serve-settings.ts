import type { ServeSettings } from '../../src/api/serve-context.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';

/** Settings of the API in tests: the defaults, without limits of clients. */
export const DEFAULT_SERVE_SETTINGS: ServeSettings = {
  ...resolveSettings(namesIn('api', 'metrics'), {}, {}),
  maxLimit: 1000,
  idleConnections: null,
  keylessLimit: null,
  streamConnections: null,
};
