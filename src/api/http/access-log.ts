import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { ServeLog } from '../serve-context.ts';
import { loggedPath } from './logged-path.ts';

const GIVEN = /^[\w.:-]{1,64}$/;

/** Id of a request: the one that a proxy gave it in `X-Request-Id`, or a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && GIVEN.test(given) ? given : randomUUID();
}

/** Every answer has its id in `X-Request-Id`; with a log, each request and its result is one line. */
export function addAccessLog(app: FastifyInstance, log: ServeLog | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  if (log === null) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id, clientAddress, method, url, apiKey } = request;
    const bytes = Number(reply.getHeader('content-length') ?? 0);
    const facts = { id, client: clientAddress, key: apiKey?.id ?? null, method, path: loggedPath(url) };
    log.info({ ...facts, status: reply.statusCode, ms: Math.round(reply.elapsedTime), bytes }, 'answered');
    done();
  });
}
