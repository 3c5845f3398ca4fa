import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { SqlPort } from '../sql-port.ts';
import { notReady, tooLargeBody } from './sql-error.ts';

/** Bytes of a statement with its parameters. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Parameters of the address that name the caller or a session; the store gets its own. */
const OWN_PARAMETERS = [
  'user',
  'password',
  'api_key',
  'quota_key',
  'role',
  'session_id',
  'session_check',
  'session_timeout',
  'close_session',
];
/** Not the type of the body: ClickHouse would read a form as further parameters. */
const SENT = ['accept-encoding', 'user-agent'] as const;
const SENT_TO_STORE = [
  'x-clickhouse-database',
  'x-clickhouse-format',
  'x-clickhouse-timezone',
  'x-clickhouse-query-id',
];
const RETURNED = /^(content-type|content-encoding|transfer-encoding|retry-after|x-clickhouse-.*)$/;

/** A statement as its client sent it. */
export interface SqlRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Name of the caller for the store's quota. */
  readonly caller: string;
}

/** Reads a body. @throws SqlError 413 */
export async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw tooLargeBody(MAX_BODY_BYTES);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Runs a statement at the store as the analyst and streams the answer as fast as the client reads it. If the client goes,
 * so does the statement. Resolves when the answer has been sent.
 */
export async function forward(port: SqlPort, sent: SqlRequest, response: ServerResponse): Promise<void> {
  const query = new URLSearchParams(sent.query);
  for (const name of OWN_PARAMETERS) query.delete(name);
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const answer = await ask(port, sent, query, abort.signal);
  response.statusCode = answer.statusCode ?? 502;
  for (const [name, value] of Object.entries(answer.headers))
    if (RETURNED.test(name) && name !== 'transfer-encoding' && value !== undefined)
      response.setHeader(name, value);
  await pipeline(answer, response);
}

function ask(
  port: SqlPort,
  { method, headers, body, caller }: SqlRequest,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const named = query.has('database') || headers['x-clickhouse-database'] !== undefined;
  const picked = [...SENT, ...SENT_TO_STORE].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const upstream = request(
    `${port.url}/?${query}`,
    {
      method,
      signal,
      headers: {
        ...(named ? {} : { 'X-ClickHouse-Database': port.lake }),
        ...Object.fromEntries(picked),
        'X-ClickHouse-User': port.user,
        'X-ClickHouse-Key': port.password,
        'X-ClickHouse-Quota': caller,
        ...(method === 'POST' && { 'Content-Length': body.length }),
      },
    },
    resolve,
  );
  upstream.on('error', (error) =>
    reject(signal.aborted ? signal.reason : notReady(`the store does not answer: ${error.message}`)),
  );
  upstream.end(method === 'POST' ? body : undefined);
  return promise;
}
