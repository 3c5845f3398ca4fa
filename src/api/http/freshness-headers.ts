import type { FastifyInstance } from 'fastify';
import { type HeadClock, lagSeconds } from './head-clock.ts';

/** Adds to every answer of the APIs how fresh the index is: head seqno, its time, and how far that is behind now. */
export function addFreshnessHeaders(app: FastifyInstance, clock: HeadClock): void {
  const heads = new WeakMap<object, ReturnType<HeadClock['head']>>();
  app.addHook('onRequest', async (request) => {
    // Asked now and awaited at the end: the query, if one is needed, runs beside those of the answer.
    if (request.url.startsWith('/api/')) heads.set(request, clock.head());
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const head = await heads.get(request);
    if (head) {
      reply.header('X-Tonhouse-Mc-Seqno', head.seqno);
      reply.header('X-Tonhouse-Mc-Utime', head.utime);
      reply.header('X-Tonhouse-Lag-Seconds', lagSeconds(head, Date.now()));
    }
    return payload;
  });
}
