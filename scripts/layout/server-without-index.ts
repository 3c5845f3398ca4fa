import type { FastifyInstance } from 'fastify';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { buildServer, type ServerOptions } from '../../src/api/serve-stage.ts';
import { READ_PROJECTIONS, type VersionVector } from '../../src/api/version-vector.ts';
import { createStoreClient } from '../../src/platform/clickhouse/client.ts';
import { resolveSettings } from '../../src/platform/config/resolve-settings.ts';
import { namesIn } from '../../src/platform/config/settings.ts';

/** A server for its routes and documents, which do not depend on what is indexed. */
export async function serverWithoutIndex(options: ServerOptions = {}): Promise<FastifyInstance> {
  const off = READ_PROJECTIONS.map((name) => [name, { state: 'off' }] as const);
  const context: ServeContext = {
    client: createStoreClient({ url: 'http://127.0.0.1:1' }),
    vector: () => Object.fromEntries(off) as VersionVector,
    network: { label: 'none', testnet: false, zerostate: null, isolated: false },
    settings: {
      ...resolveSettings(namesIn('api', 'metrics'), {}, {}),
      maxLimit: 1_000,
      idleConnections: null,
      keylessLimit: null,
      streamConnections: null,
    },
    log: { info() {}, warn() {}, error() {} },
    health: async () => ({ deadLetters: 0 }),
  };
  return buildServer(context, options);
}
