import type { Operations } from '../../src/client/operations.ts';
import { readKey } from './key.ts';

type Path<Key> = Key extends `GET ${infer Found}` ? Found : never;
/** Paths of the API that the page reads with GET. */
export type ApiPath = Path<keyof Operations>;
/** Answer of a path with status 200. */
export type Answer<P extends ApiPath> = Operations[`GET ${P}`]['answer'];
export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request that failed: the server's text, or why no answer arrived. `status` is 0 without an answer. */
export class RequestError extends Error {
  readonly status: number;
  /** Milliseconds until the server accepts the next request; null if it named no time. */
  readonly retryMs: number | null;

  constructor(message: string, status: number, retryMs: number | null) {
    super(message);
    this.status = status;
    this.retryMs = retryMs;
  }
}

/** Address of a request on this server. Parameters that are undefined are left out. */
export function toUrl(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The command that sends a request to an origin from a terminal. A shell expands nothing in single quotes. */
export function toCurl(url: string, origin: string): string {
  return `curl '${new URL(url, origin).href.replaceAll("'", '%27')}'`;
}

/** @throws RequestError */
export async function getText(url: string, init: RequestInit = {}): Promise<string> {
  const key = readKey();
  const headers = { ...init.headers, ...(key === '' ? {} : { 'X-API-Key': key }) };
  const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new RequestError('The server does not answer. Is it running?', 0, null);
  });
  const text = await response.text();
  if (response.ok) return text;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new RequestError(readError(text), response.status, Number.isFinite(wait) ? wait * 1_000 : null);
}

/** @throws RequestError */
export async function getJson<T>(url: string, init?: RequestInit): Promise<T> {
  return JSON.parse(await getText(url, init)) as T;
}

/** Sends JSON. @throws RequestError */
export function postJson<T>(url: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return getJson(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Reads a path of the API. @throws RequestError */
export function ask<P extends ApiPath>(path: P, parameters?: Parameters): Promise<Answer<P>> {
  return getJson(toUrl(path, parameters));
}

/** The text of an error body of v2 or v3, or the body itself. */
function readError(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === 'string' ? error : text;
  } catch {
    return text.trim() || 'The server sent no reason.';
  }
}
