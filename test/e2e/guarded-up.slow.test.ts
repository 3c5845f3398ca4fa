/**
 * `tonhouse up` with other processes on the machine: an unresponsive store comes back, a second `up` changes nothing,
 * files are private.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runStatement } from '../../src/platform/clickhouse/embedded/server-http.ts';
import { readServerState } from '../../src/platform/clickhouse/embedded/server-state.ts';
import { runCli } from '../helpers/run-cli.ts';
import { type RunningMain, startMain } from '../helpers/run-main.ts';

const UNRESPONSIVE_MS = 3_000;
/** Far more than a busy machine needs. */
const UNTIL_MS = 500_000;

describe('tonhouse up', { timeout: 600_000 }, () => {
  let root: string;
  let data: string;
  let up: RunningMain;
  let url: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tonhouse-guarded-'));
    data = join(root, 'data');
    // Children have the umask of the process that starts them.
    const umask = process.umask(0);
    up = startMain([
      ...['up', '--data', data, '--port', '0', '--log-format', 'json'],
      ...['--block-ms', '500', '--traffic', '5', '--clickhouse-unresponsive-ms', `${UNRESPONSIVE_MS}`],
    ]);
    process.umask(umask);
    await vi.waitFor(
      async () => {
        url = /"url":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)![1]!;
        expect(await head()).toBeGreaterThan(3);
      },
      { timeout: UNTIL_MS, interval: 100 },
    );
  }, 600_000);
  afterAll(async () => {
    up.child.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    rmSync(root, { recursive: true, force: true });
  });

  const get = (path: string) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(20_000) });
  const head = async (): Promise<number> => {
    const answer = await get('/api/v3/masterchainInfo');
    return answer.ok ? ((await answer.json()) as { last: { seqno: number } }).last.seqno : 0;
  };
  const store = () => readServerState(join(data, 'clickhouse'))!;

  it('keeps its directory and its secrets to its user, under any umask', () => {
    // The store's own folders come and go while they are listed.
    const top = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const own = top.filter(({ name }) => name !== 'clickhouse').map(({ name }) => join(data, name));
    const below = own.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const open = [data, join(data, 'clickhouse'), ...own, ...below].filter(
      (directory) => (statSync(directory).mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
    const secrets = ['server.json', 'server.xml', 'users.xml'].map((name) => join(data, 'clickhouse', name));
    for (const file of [...secrets, join(data, 'localnet', 'control.json')])
      expect((statSync(file).mode & 0o777).toString(8), file).toBe('600');
  });

  it('is ready, healthy, and counts dead letters', async () => {
    expect([(await get('/readyz')).status, await (await get('/readyz')).text()]).toEqual([200, 'ok']);
    expect(await (await get('/healthz')).json()).toMatchObject({ status: 'ok', dead_letters: 0 });
  });

  it('refuses a second one on its directory, which changes nothing', async () => {
    const file = join(data, 'localnet', 'control.json');
    const before = readFileSync(file, 'utf8');
    const second = await runCli(['up', '--data', data, '--port', '0']);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`a local chain already runs in ${join(data, 'localnet')}`);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await runCli(['localnet', 'mine', '1', '--data', data])).toMatchObject({ code: 0 });
  });

  it.each([
    ['is stopped', async () => process.kill(store().pid, 'SIGSTOP')],
    ['no longer listens', async () => runStatement(store(), 'SYSTEM STOP LISTEN HTTP', 5_000)],
  ])('starts a store again that %s, and nothing is lost', async (_how, silence) => {
    const { pid, url: address } = store();
    const before = await head();
    await silence();
    const since = performance.now();
    await vi.waitFor(() => expect(store().pid).not.toBe(pid), { timeout: UNTIL_MS, interval: 50 });
    expect(performance.now() - since).toBeGreaterThan(UNRESPONSIVE_MS);
    expect(store().url).toBe(address);
    await vi.waitFor(async () => expect(await head()).toBeGreaterThan(before + 10), {
      timeout: UNTIL_MS,
      interval: 200,
    });
    expect(await (await get('/healthz')).json()).toMatchObject({ status: 'ok', dead_letters: 0 });
    // The rows written before, in between and afterwards are complete.
    const verified = await runCli(['verify', '--data', data]);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });
  });

  it('lets a busy store be: its errors are answers', async () => {
    const { pid } = store();
    const hogs = Array.from({ length: 4 }, () =>
      runStatement(store(), 'SELECT count() FROM numbers(1e12) SETTINGS max_execution_time = 6', 60_000),
    );
    // Twice as long as a store may be silent.
    await sleep(UNRESPONSIVE_MS * 2);
    await Promise.allSettled(hogs);
    expect(store().pid).toBe(pid);
  });
});
