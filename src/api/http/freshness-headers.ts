import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServeContext } from '../serve-context.ts';
import type { AnswerSource, ProjectionName } from '../version-vector.ts';
import { type HeadClock, lagSeconds } from './head-clock.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Source of the answer; null if nothing was read. */
    source: AnswerSource | null;
    /**
     * Updates the visible range of these projections: await it after a request is validated and before its answer is
     * read.
     */
    freshen(reads: readonly ProjectionName[]): Promise<void>;
  }
  interface FastifyContextConfig {
    /** Projections that are brought up to date before anything of a request is looked at; absent where handlers do that. */
    reads?: readonly ProjectionName[];
  }
}

/**
 * Adds `reply.freshen` and the headers about freshness: the newest masterchain block of the answer, its time and its
 * lag; for answers from the store also range and versions.
 */
export function addFreshnessHeaders(
  app: FastifyInstance,
  { freshen }: Pick<ServeContext, 'freshen'>,
  clock: HeadClock,
): void {
  app.decorateReply('source', null);
  app.decorateReply('freshen', async (reads) => {
    await freshen?.(reads);
    // Started now and awaited at the end: a needed query runs in parallel with the answer's.
    void clock.head();
  });
  app.addHook('onRequest', async (request, reply) => {
    const { reads } = request.routeOptions.config;
    if (reads) await reply.freshen(reads);
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
