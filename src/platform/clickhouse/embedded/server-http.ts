import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { credentials } from '../client-options.ts';
import type { RunningServer } from './server-state.ts';

type Address = Pick<RunningServer, 'url' | 'user' | 'password'>;

/** Sends one statement over a new connection, which also shows whether the server accepts new ones. */
function send(server: Address, sql: string, timeoutMs: number): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = request(
    server.url,
    {
      method: 'POST',
      agent: false,
      headers: { ...credentials(server), Connection: 'close', 'Content-Length': Buffer.byteLength(sql) },
      signal: AbortSignal.timeout(timeoutMs),
    },
    resolve,
  );
  sent.on('error', reject);
  sent.end(sql);
  return promise;
}

/** Runs one statement over plain HTTP: start and stop need this before any client exists. */
export async function runStatement(
  server: Address,
  sql: string,
  timeoutMs: number,
): Promise<{ ok: boolean; body: string }> {
  const answer = await send(server, sql, timeoutMs);
  return { ok: answer.statusCode === 200, body: await text(answer) };
}

/** Whether the server answers, with the password that its state file gives: a stranger on the port does not. */
export async function answers(server: RunningServer): Promise<boolean> {
  try {
    const { ok, body } = await runStatement(server, 'SELECT 1', 2_000);
    return ok && body.trim() === '1';
  } catch {
    // Refused, reset or silent: not ready yet. The caller bounds the number of tries.
    return false;
  }
}

/** True if the server answers a statement in time, even with an error. */
export async function isHeard(server: RunningServer, timeoutMs: number): Promise<boolean> {
  try {
    const answer = await send(server, 'SELECT 1', timeoutMs);
    answer.resume();
    return answer.statusCode === 200 || answer.headers['x-clickhouse-exception-code'] !== undefined;
  } catch {
    // Refused, reset or silent: the caller counts.
    return false;
  }
}
