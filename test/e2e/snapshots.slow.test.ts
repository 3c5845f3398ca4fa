/** `localnet snapshot` and `revert` by command and by HTTP: the index follows, and the server keeps its address. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

const TO = `0:${'5'.repeat(64)}`;
const MASTER = `-1:${'6'.repeat(64)}`;

function makeFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-snapshots-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

it('stores a chain with its index and puts it back', { timeout: 1_200_000 }, async () => {
  const data = join(makeFolder(), 'data');
  const up = await startUp(['--data', data, '--liteserver-port', '0', '--sql-port', '0']);
  const localnet = (...args: string[]) => runCli(['localnet', ...args, '--data', data]);
  const get = async (path: string) => {
    const answer = await fetch(`${up.url}/api/v3/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json() as Promise<Record<string, unknown> & { transactions: { hash: string }[] }>;
  };
  const post = async (command: string, body: object) => {
    const answer = await fetch(`${up.url}/localnet/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  /** Sets a balance, and waits until the API has it. */
  const setBalance = async (address: string, balance: string) => {
    await post('setBalance', { address, balance });
    await expect.poll(() => balanceOf(address)).toBe(balance);
  };
  const balanceOf = async (address: string) => (await get(`addressInformation?address=${address}`)).balance;
  const hashesOf = async (address: string) =>
    (await get(`transactions?account=${address}&limit=50`)).transactions.map(({ hash }) => hash);

  expect(await localnet('snapshots')).toMatchObject({ code: 0, stdout: '\n' });
  expect(await localnet('revert', 'snapshot-1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('id: expected a snapshot, but there is none, found snapshot-1'),
  });
  await setBalance(TO, '11');
  expect(await localnet('snapshot')).toMatchObject({ code: 0, stdout: 'snapshot-1\n' });
  const [kept, ...others] = await hashesOf(TO);
  expect(others).toEqual([]);
  const before = (await up.range())!;

  await setBalance(TO, '22');
  await setBalance(MASTER, '33');
  const [gone] = await hashesOf(TO);
  const { last } = (await up.range())!;
  expect(last).toBeGreaterThan(before.last);
  expect(await post('snapshot', {})).toMatchObject({
    status: 200,
    body: { kind: 'snapshot', id: 'snapshot-2', number: 2 },
  });
  await expect
    .poll(() =>
      post('snapshots', {}).then(
        ({ body }) => (body.last as { number?: number } | null)?.number,
        () => 'restarting',
      ),
    )
    .toBe(2);
  expect((await post('snapshots', {})).body).toMatchObject({
    ids: ['snapshot-1', 'snapshot-2'],
    last: { error: null },
  });

  const reverted = await localnet('revert', 'snapshot-1');
  expect(reverted, reverted.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^masterchain /),
  });
  expect(await balanceOf(TO)).toBe('11');
  expect(await balanceOf(MASTER)).toBe('0');
  expect(await hashesOf(TO)).toEqual([kept]);
  expect(await hashesOf(MASTER)).toEqual([]);
  expect((await get(`transactions?hash=${encodeURIComponent(gone!)}`)).transactions).toEqual([]);
  // Other blocks take the numbers of the dropped ones.
  await setBalance(TO, '44');
  expect(await localnet('mine', `${last - before.last + 1}`)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await up.range())!.last).toBeGreaterThan(last);
  expect((await get(`transactions?hash=${encodeURIComponent(gone!)}`)).transactions).toEqual([]);
  const { blocks } = (await get(`blocks?workchain=-1&seqno=${last}`)) as unknown as { blocks: unknown[] };
  expect(blocks).toHaveLength(1);
  const verified = await runCli(['verify', '--data', data]);
  expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });

  // Forwards, to a snapshot of the other chain.
  expect(await localnet('revert', 'snapshot-2')).toMatchObject({ code: 0 });
  expect(await balanceOf(MASTER)).toBe('33');
  expect(await hashesOf(TO)).toEqual([gone, kept]);
  expect(await post('revert', { id: '../log' })).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('id: expected one of snapshot-1, snapshot-2, found ../log') },
  });
  await up.stop();
});

it('is refused by a process that has no index', { timeout: 1_200_000 }, async () => {
  const data = join(makeFolder(), 'data');
  const capture = startCli(['capture', 'localnet', '--data', data]);
  onTestFinished(() => {
    capture.child.kill('SIGKILL');
  });
  await expect
    .poll(async () => (await runCli(['localnet', 'mine', '--data', data])).code, { timeout: 300_000 })
    .toBe(0);
  expect(await runCli(['localnet', 'snapshot', '--data', data])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('only `tonhouse up` with the embedded log and store'),
  });
  capture.child.kill('SIGTERM');
  expect(await capture.ended).toMatchObject({ code: 0 });
  const stopped = await runCli(['localnet', 'snapshot', '--data', data]);
  expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('no local chain runs') });
});
