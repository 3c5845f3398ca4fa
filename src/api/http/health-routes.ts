import type { FastifyInstance } from 'fastify';
import type { ServeContext, ServeHealth } from '../serve-context.ts';
import { type HeadClock, lagSeconds } from './head-clock.ts';

/**
 * `/healthcheck`: the process answers. `/readyz`: the store answers and something is visible, else 503. `/healthz`: what is indexed, how far behind, what failed to decode.
 */
export function addHealthRoutes(app: FastifyInstance, context: ServeContext, clock: HeadClock): void {
  app.get('/healthcheck', (_request, reply) => {
    reply.type('text/plain; charset=utf-8').send('OK');
  });
  app.get('/readyz', async (_request, reply) => {
    const missing = statusOf(await context.client.ping(), context, { deadLetters: 0 });
    reply.code(missing === 'ok' ? 200 : 503).type('text/plain; charset=utf-8');
    return missing;
  });
  app.get('/healthz', async (_request, reply) => {
    const [store, head, health] = await Promise.all([context.client.ping(), clock.head(), context.health()]);
    reply.code(store ? 200 : 503);
    return {
      status: statusOf(store, context, health),
      network: context.network.label,
      database: context.baseDatabase(),
      visible: context.visible(),
      head,
      lag_seconds: head && lagSeconds(head, Date.now()),
      dead_letters: health.deadLetters,
      ...health.facts,
    };
  });
}

function statusOf(store: boolean, context: ServeContext, { deadLetters, isDamaged }: ServeHealth): string {
  if (!store) return 'store is away';
  if (isDamaged) return 'degraded: rows are missing, see `tonhouse verify --repair`';
  if (!context.visible()) return 'nothing indexed yet';
  return deadLetters > 0 ? 'dead letters' : 'ok';
}
