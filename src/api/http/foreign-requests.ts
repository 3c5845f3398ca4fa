import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CorsChoice } from '../cors-choice.ts';
import { addCors } from './cors.ts';
import { HttpError } from './errors/http-error.ts';

export interface ForeignRequestOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** Further names that it is called by. */
  readonly allowedHost: readonly string[];
  readonly cors: CorsChoice;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:127(\.\d{1,3}){3}\])$/;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Refuses requests that web pages send without their user's knowledge: under a foreign name (DNS rebinding, if the
 * server is on loopback or has names), POST from foreign origins, and body types that browsers send without a
 * preflight.
 */
export function refuseForeignRequests(app: FastifyInstance, options: ForeignRequestOptions): void {
  const names = new Set(options.allowedHost.map((name) => name.toLowerCase()));
  const checksNames = isLoopback(options.host) || names.size > 0;
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasTwoHosts(request.raw.rawHeaders)) throw new HttpError(400, 'a request has one Host');
    if (checksNames && !isKnownHost(request.headers.host, names)) throw foreignHost();
    if (request.method === 'POST') requireOwnPost(request, options.cors);
    done();
  });
  if (options.cors !== 'off') addCors(app, options.cors);
}

/** Whether an address to listen on is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase());
}

/** True if the page's origin is neither the server's own nor a named one: it may read if any origin may. */
export function isForeign(request: FastifyRequest, choice: CorsChoice): boolean {
  const { origin, host } = request.headers;
  return (
    origin !== undefined && !isOwn(origin, host) && (typeof choice === 'string' || !choice.includes(origin))
  );
}

/** @throws HttpError 403, 415, 422 */
function requireOwnPost(request: FastifyRequest, choice: CorsChoice): void {
  if (!mayPost(request, choice)) throw new HttpError(403, 'this origin may not post: see --cors');
  const { takesAnyBody } = request.routeOptions.config;
  if (!takesAnyBody && !isBodyType(request)) throw wrongType(request.url);
}

function mayPost(request: FastifyRequest, choice: CorsChoice): boolean {
  return choice === '*' || !isForeign(request, choice);
}

function isOwn(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host?.toLowerCase();
  } catch {
    return false;
  }
}

/** Node silently takes the first: a proxy may take the other (RFC 9112, 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** A request without a name (HTTP/1.0) comes from no browser. */
function isKnownHost(header: string | undefined, names: ReadonlySet<string>): boolean {
  if (header === undefined) return true;
  const name = header.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  return LOOPBACK.test(name) || names.has(name);
}

/** v3 has 422 for it (v3-endpoints.md 9). */
function wrongType(url: string): HttpError {
  const text = 'unsupported content type: it must be application/json';
  return url.startsWith('/api/v3/')
    ? new HttpError(422, `failed to decode: ${text}`)
    : new HttpError(415, text);
}

function foreignHost(): HttpError {
  return new HttpError(403, 'the server is not called by this name: see --allowed-host');
}

/** JSON; without an origin, so from no web page, also a form or no type at all, as curl and old clients send. */
function isBodyType({ headers }: FastifyRequest): boolean {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'application/json' || type.endsWith('+json')) return true;
  return headers.origin === undefined && (type === '' || type === FORM);
}
