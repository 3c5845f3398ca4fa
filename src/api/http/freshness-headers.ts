import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServeContext } from '../serve-context.ts';
import type { AnswerSource, ProjectionName } from '../version-vector.ts';
import { type HeadClock, lagSeconds } from './head-clock.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Source of the answer; null where it was read from nothing. */
    source: AnswerSource | null;
  }
  interface FastifyContextConfig {
    /** Projections that answers of the route are read from; absent where a request names them later, or there are none. */
    reads?: readonly ProjectionName[];
  }
}

/**
 * Brings what is visible up to date for every request of the APIs, and adds to the answer how fresh it is: the newest masterchain block that it speaks of, its time, and how far
 * that is behind now; of an answer that was read from the store also its range and the versions.
 */
export function addFreshnessHeaders(
  app: FastifyInstance,
  { freshen }: Pick<ServeContext, 'freshen'>,
  clock: HeadClock,
): void {
  app.decorateReply('source', null);
  app.addHook('onRequest', async (request) => {
    if (!isOfApi(request.url)) return;
    const { reads } = request.routeOptions.config;
    if (reads) await freshen?.(reads);
    // Asked now and awaited at the end: the query, if one is needed, runs beside those of the answer.
    void clock.head();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isOfApi(request.url)) return payload;
    const { source } = reply;
    if (source) addSourceHeaders(reply, source);
    const head = await (source ? clock.headAt(source.visible.last) : clock.head());
    if (head) {
      reply.header('X-Tonhouse-Mc-Seqno', head.seqno);
      reply.header('X-Tonhouse-Mc-Utime', head.utime);
      reply.header('X-Tonhouse-Lag-Seconds', lagSeconds(head, Date.now()));
    }
    return payload;
  });
}

function isOfApi(url: string): boolean {
  return url.startsWith('/api/');
}

function addSourceHeaders(reply: FastifyReply, { versions, visible, added }: AnswerSource): void {
  const all = [
    ...Object.entries(versions),
    ...Object.entries(added).map(([name, { version }]) => [name, version]),
  ];
  const named = all.map(([name, version]) => `${name}=${version}`);
  reply.header('X-Tonhouse-Versions', named.join(', '));
  reply.header('X-Tonhouse-Mc-Range', `${visible.first}-${visible.last}`);
}
