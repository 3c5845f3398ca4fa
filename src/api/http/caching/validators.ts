import type { FastifyInstance, FastifyReply } from 'fastify';
import { addVary } from '../vary.ts';
import { BodyTags } from './body-tags.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The answer speaks of history that no later block changes. */
    isFinished: boolean;
  }
}

/** Dead letters that are retried, and a switch of versions, change even history: caches look again after so long. */
const MAX_AGE_SECONDS = 60;
const V2 = '/api/v2/';
const V3 = '/api/v3/';
/** The page at `/` and its files. */
const PAGE = /^\/(web\/|\?|$)/;
/** Request headers that an answer of v3 depends on. */
const SWITCHES = ['X-No-Address-Book', 'X-No-Metadata', 'X-Actions-Version'];
/** Where the last field of an answer of v2 begins: the time and duration of the request, or what the client has sent. */
const EXTRA = ',"@extra":';

/**
 * Gives answers of v2 and v3, and the files of the page, an `ETag`, weak since encodings and `@extra` differ, and answers 304 where the client has it;
 * `Cache-Control` lets finished history be kept for a minute, anything else is asked for again with its ETag.
 */
export function addValidators(app: FastifyInstance): void {
  app.decorateReply('isFinished', false);
  const tags = new BodyTags();
  app.addHook('onSend', (request, reply, payload, done) => {
    const { method, url } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const [isV2, isV3] = [url.startsWith(V2), url.startsWith(V3)];
    const isTagged = isRead && reply.statusCode === 200 && (isV2 || isV3 || PAGE.test(url));
    if (!isTagged || !(typeof payload === 'string' || payload instanceof Uint8Array)) {
      done();
      return;
    }
    const tag = tags.of(isV2 && typeof payload === 'string' ? withoutExtra(payload) : payload);
    reply.header('ETag', tag);
    reply.header('Cache-Control', reply.isFinished ? `public, max-age=${MAX_AGE_SECONDS}` : 'no-cache');
    if (isV3) addVary(reply, ...SWITCHES);
    done(null, hasTag(request.headers['if-none-match'], tag) ? notModified(reply) : payload);
  });
}

function withoutExtra(body: string): string {
  const end = body.lastIndexOf(EXTRA);
  return end === -1 ? body : body.slice(0, end);
}

/** Whether `If-None-Match` names the tag; weak and strong ones compare alike (RFC 9110, 8.8.3.2). */
function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^(W\/)?/, 'W/') === tag);
}

function notModified(reply: FastifyReply): null {
  // As on the full answer, which is compressed later: a cache would forget it otherwise (RFC 9110, 15.4.5).
  addVary(reply, 'Accept-Encoding');
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return null;
}
