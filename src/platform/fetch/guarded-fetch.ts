import { lookup as lookUp } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { hasEncodedPath } from './encoded-path.ts';
import { FetchError } from './fetch-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Bounds of one fetch, redirects included. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

/** An address that a name leads to. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface FetchOptions {
  /** Resolves the addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
  /** Addresses that may be connected to. Default: public addresses. */
  readonly isAllowed?: (address: string) => boolean;
  /** Scheme, host and port that the operator named: its addresses are not looked at. */
  readonly trustedOrigin?: string | undefined;
  /** Beginning of the paths of that origin for which this holds. Default: all. */
  readonly trustedPath?: string | undefined;
  readonly signal?: AbortSignal;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches an untrusted link. The addresses of each host, including redirects, are checked before anything is sent, and
 * the connection uses exactly these addresses: a changed name leads nowhere else.
 * @throws FetchError
 */
export async function guardedFetch(
  link: string,
  limits: FetchLimits,
  {
    resolve = resolveAll,
    isAllowed = isPublicAddress,
    trustedOrigin,
    trustedPath = '/',
    signal,
  }: FetchOptions = {},
): Promise<Uint8Array> {
  const ends = AbortSignal.timeout(limits.timeoutMs);
  const stop = signal ? AbortSignal.any([ends, signal]) : ends;
  try {
    let url = httpUrl(link);
    for (let hop = 0; hop <= limits.maxRedirects; hop++) {
      const isTrusted = url.origin === trustedOrigin && isBelow(url, trustedPath);
      const allowed = isTrusted ? () => true : isAllowed;
      const response = await respond(url, { resolve, isAllowed: allowed }, stop);
      const next = nextHop(response, url);
      if (!next) return await readBody(response, limits.maxBytes);
      response.destroy();
      url = next;
    }
  } catch (error) {
    if (ends.aborted) throw new FetchError('timeout', `after ${limits.timeoutMs} ms`, { cause: error });
    throw asFetchError(error);
  }
  throw new FetchError('redirect', `more than ${limits.maxRedirects}`);
}

/** True if every server takes the path of an address for one below another. */
function isBelow({ pathname }: URL, path: string): boolean {
  return path === '/' || (pathname.startsWith(path) && !hasEncodedPath(pathname));
}

function asFetchError(error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  return new FetchError('network', (error as Error).message, { cause: error });
}

function httpUrl(link: string, base?: URL): URL {
  const url = URL.parse(link, base);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new FetchError('scheme', 'only http and https, without a password');
  return url;
}

/** The target of a redirect; null if the response is none. */
function nextHop({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | null {
  if (!REDIRECTS.has(statusCode)) return null;
  if (headers.location === undefined) throw new FetchError('redirect', 'to nowhere');
  return httpUrl(headers.location, url);
}

type Guard = Required<Pick<FetchOptions, 'resolve' | 'isAllowed'>>;

function respond(url: URL, guard: Guard, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An address in the link itself is connected to without a look-up.
  if (isIP(host) !== 0 && !guard.isAllowed(host)) throw new FetchError('address', `${host} is not public`);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    accept: 'application/json, */*;q=0.5',
    'accept-encoding': 'identity',
    'user-agent': 'tonhouse',
  };
  const lookup = checkedLookup(guard);
  return new Promise((resolve, reject) => {
    // No agent: a connection of another host's fetch is never used again.
    const sent = send(url, { agent: false, headers, lookup, signal }, resolve);
    sent.on('error', reject);
    sent.end();
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  try {
    const { statusCode, headers } = response;
    if (statusCode !== 200) throw new FetchError('status', `${statusCode}`);
    if ((headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new FetchError('encoding', `${headers['content-encoding']}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new FetchError('size', `more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}

/** Looks a name up for the connection itself, and refuses it where any of its addresses is not allowed. */
function checkedLookup({ resolve, isAllowed }: Guard): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (found) => {
        const refused = found.find(({ address }) => !isAllowed(address));
        const [first] = found;
        if (refused) done(new FetchError('address', `${host} is at ${refused.address}`), '');
        else if (!first) done(new FetchError('network', `${host} has no address`), '');
        else if (options.all) done(null, [...found]);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };
}

const resolveAll = (host: string) => lookUp(host, { all: true });
