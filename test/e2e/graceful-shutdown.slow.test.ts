/** A server that is asked to stop finishes the answers under way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startMain } from '../helpers/run-main.ts';

const PATHS = [
  'v3/transactions?limit=1000',
  'v3/transactions?limit=1000&offset=7',
  'v3/messages?limit=1000',
  'v3/traces?limit=100',
  'v3/actions?limit=500',
  'v2/getMasterchainInfo',
];

it('a server that gets SIGTERM answers whole what it was asked before, and ends with 0', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
  const server = startMain(['up', '--data', folder, '--port', '0', '--traffic', '20', '--block-ms', '1000']);
  onTestFinished(async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const wait = { timeout: 240_000, interval: 500 };
  const url = await vi.waitFor(() => /http:\/\/[\d.]+:\d+/.exec(server.text.stderr)![0], wait);
  const ask = async (path: string) => {
    const reply = await fetch(`${url}/api/${path}`);
    return { status: reply.status, body: (await reply.json()) as { actions?: object[] } };
  };
  await vi.waitFor(
    async () => expect((await ask('v3/actions')).body.actions?.length).toBeGreaterThan(5),
    wait,
  );

  const answers = PATHS.map(ask);
  // The last request is the cheapest. When it is answered, the requests before it have reached the server.
  await answers.at(-1);
  server.child.kill('SIGTERM');
  for (const [i, { status, body }] of (await Promise.all(answers)).entries())
    expect([PATHS[i], status, Object.keys(body).length > 0]).toEqual([PATHS[i], 200, true]);
  expect(await server.ended).toBe(0);
  await expect(ask('v2/getMasterchainInfo')).rejects.toThrow();
});
