import type { RunningServer } from './server-state.ts';

/** Runs one statement over plain HTTP: what starting and stopping need before any client exists. */
export async function runStatement(
  server: Pick<RunningServer, 'url' | 'user' | 'password'>,
  sql: string,
  timeoutMs: number,
): Promise<{ ok: boolean; body: string }> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'X-ClickHouse-User': server.user,
      'X-ClickHouse-Key': server.password,
      Connection: 'close',
    },
    body: sql,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { ok: response.ok, body: await response.text() };
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
