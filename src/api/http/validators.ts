import type { FastifyInstance, FastifyReply } from 'fastify';
import { BodyTags } from './body-tags.ts';
import { addVary } from './vary.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The answer speaks of history that no later block changes. */
    isFinished: boolean;
  }
}

/** Dead letters that are retried, and a switch of versions, change even history: caches look again after so long. */
const MAX_AGE_SECONDS = 60;
/** Answers of v2 differ each time by `@extra`. */
const PREFIX = '/api/v3/';
/** Request headers that an answer of v3 depends on. */
const SWITCHES = ['X-No-Address-Book', 'X-No-Metadata', 'X-Actions-Version'];

/**
 * Gives answers of v3 an `ETag`, weak since encodings differ, and answers 304 where the client has it; `Cache-Control` lets
 * finished history be kept for a minute, anything else is asked for again with its ETag.
 */
export function addValidators(app: FastifyInstance): void {
  app.decorateReply('isFinished', false);
  const tags = new BodyTags();
  app.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isTagged = isRead && reply.statusCode === 200 && request.url.startsWith(PREFIX);
    if (!isTagged || !(typeof payload === 'string' || payload instanceof Uint8Array)) {
      done();
      return;
    }
    const tag = tags.of(payload);
    reply.header('ETag', tag);
    reply.header('Cache-Control', reply.isFinished ? `public, max-age=${MAX_AGE_SECONDS}` : 'no-cache');
    addVary(reply, ...SWITCHES);
    done(null, hasTag(request.headers['if-none-match'], tag) ? notModified(reply) : payload);
  });
}

/** Whether `If-None-Match` names the tag; weak and strong ones compare alike (RFC 9110, 8.8.3.2). */
function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^(W\/)?/, 'W/') === tag);
}

function notModified(reply: FastifyReply): null {
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return null;
}
