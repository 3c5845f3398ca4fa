import type { FastifyInstance } from 'fastify';
import { addClientAddress } from '../../src/api/http/client/client-address.ts';
import { addFreshnessHeaders } from '../../src/api/http/freshness-headers.ts';
import { HeadClock } from '../../src/api/http/head-clock.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import { v2Plugin } from '../../src/api/v2/v2-plugin.ts';

/** Registers only the v2 API, with the server parts that it needs. */
export async function registerV2(app: FastifyInstance, context: ServeContext): Promise<void> {
  addClientAddress(app, context.settings.trustedProxy);
  addFreshnessHeaders(app, context, new HeadClock(context));
  await app.register(v2Plugin, { prefix: '/api/v2', context });
}
