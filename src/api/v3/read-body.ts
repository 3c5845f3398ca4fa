import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '../http/errors/http-error.ts';
import { readQueryString } from '../http/query-string.ts';
import type { PostBody } from './parameters/body.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Passes bodies to the handlers as text: `readBody` decides their type and validity. */
export function takeBodiesAsText(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

/** Fields that a body may have, by its schema. */
export type BodyFields = Readonly<Record<string, { readonly type?: string }>>;

/**
 * The fields of a posted request: the body's, overridden by those in its address, where scripts put them (v3-rules.md
 * 12).
 * @throws HttpError 422
 */
export function readPosted(request: FastifyRequest, fields: BodyFields): PostBody {
  const sent = readQueryString(request.url);
  const inQuery = Object.entries(fields).flatMap(([name, { type }]) => {
    const values = sent.get(name.toLowerCase())?.values;
    return values ? [[name, type === 'array' ? values : values.at(-1)] as const] : [];
  });
  if (inQuery.length === 0) return readBody(request);
  const body = request.body ? readBody(request) : {};
  return { ...body, ...Object.fromEntries(inQuery) };
}

/**
 * The fields of a JSON object or a form; other types were refused before (http/foreign-requests.ts).
 * @throws HttpError 422
 */
export function readBody(request: FastifyRequest): PostBody {
  const text = typeof request.body === 'string' ? request.body : '';
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === FORM) return Object.fromEntries(new URLSearchParams(text));
  return readJson(text);
}

function readJson(text: string): PostBody {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new HttpError(422, 'failed to decode: the body is not JSON');
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HttpError(422, 'failed to decode: the body must be an object');
  return value as PostBody;
}
