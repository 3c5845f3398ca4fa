import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CorsChoice } from '../cors-choice.ts';
import { addVary } from './vary.ts';

const METHODS = 'GET, HEAD, POST';
/** Seconds for which a browser may cache a preflight's answer. */
const MAX_AGE_S = 600;
const SHOWN_HEADERS = [
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'X-API-Version',
  'X-Tonhouse-Mc-Seqno',
  'X-Tonhouse-Mc-Utime',
  'X-Tonhouse-Lag-Seconds',
  'X-Tonhouse-Mc-Range',
  'X-Tonhouse-Versions',
  'X-Tonhouse-Ignored-Parameters',
  'X-Request-Id',
  'ETag',
].join(', ');

/**
 * Lets pages of the chosen origins read answers (Fetch standard, CORS protocol). Answers preflights of any path with 204. Adds no route, so
 * that an unknown path stays 404 and `Allow` names only the methods of a route.
 */
export function addCors(app: FastifyInstance, choice: Exclude<CorsChoice, 'off'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (choice === '*') reply.header('Access-Control-Allow-Origin', '*');
    else {
      addVary(reply, 'Origin');
      if (origin !== undefined && choice.includes(origin))
        reply.header('Access-Control-Allow-Origin', origin);
    }
    reply.header('Access-Control-Expose-Headers', SHOWN_HEADERS);
    if (isPreflight(request)) answerPreflight(request, reply);
    else done();
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const requested = headers['access-control-request-headers'];
  addVary(reply, 'Access-Control-Request-Headers');
  reply
    .header('Access-Control-Allow-Methods', METHODS)
    .header('Access-Control-Max-Age', MAX_AGE_S)
    .headers(requested === undefined ? {} : { 'Access-Control-Allow-Headers': requested })
    .code(204)
    .header('Content-Length', 0)
    .send();
}
