/** `tonhouse localnet …` against a chain that `tonhouse up` runs, as people use them. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startCli } from '../helpers/run-cli.ts';

const TO = `0:${'5'.repeat(64)}`;

type Metadata = Record<string, { readonly token_info: readonly Record<string, unknown>[] }>;

describe('tonhouse localnet', { timeout: 600_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-localnet-'));
  let up: ReturnType<typeof startCli>;
  let url: string;

  beforeAll(async () => {
    up = startCli(['up', '--data', directory, '--port', '0', '--log-format', 'json']);
    const found = () => /"url":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1];
    while (!found() && up.child.exitCode === null) await sleep(50);
    url = found()!;
    while ((await head()) === 0) await sleep(50);
  }, 600_000);
  afterAll(async () => {
    up.child.kill('SIGTERM');
    expect((await up.ended).code).toBe(0);
    rmSync(directory, { recursive: true, force: true });
  });

  const localnet = (...args: string[]) => runCli(['localnet', ...args, '--data', directory]);
  const get = async (path: string) => {
    const answer = await fetch(`${url}/api/${path}`);
    return answer.ok ? ((await answer.json()) as Record<string, never>) : null;
  };
  const head = async (): Promise<number> => {
    const info = (await get('v3/masterchainInfo')) as { last: { seqno: number } } | null;
    return info?.last.seqno ?? 0;
  };
  const until = async (holds: () => Promise<boolean>) => {
    for (const end = Date.now() + 240_000; Date.now() < end; await sleep(30)) if (await holds()) return;
    throw new Error('it did not come to pass');
  };

  it('funds an account, in blocks and in the store', async () => {
    const { code, stdout } = await localnet('fund', TO, '1.5', '--comment', 'hello');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sent 1.5 TON, message [0-9a-f]{64}\n$/)]);
    await until(async () => (await get(`v3/addressInformation?address=${TO}`))?.balance === '1500000000');
    const hash = stdout.trim().slice(-64);
    const found = await get(`v3/transactionsByMessage?msg_hash=${hash}`);
    expect(found?.transactions).toHaveLength(1);
  });

  it('sets, lists and removes overrides of tokens, which the server applies, and refuses invalid ones', async () => {
    const override = (...args: string[]) => runCli(['metadata', 'override', ...args, '--data', directory]);
    const masters = async () =>
      (await get('v3/jetton/masters')) as {
        jetton_masters: { address: string }[];
        metadata: Metadata;
      } | null;
    await until(async () => (await masters())?.jetton_masters.length === 1);
    const { address } = (await masters())!.jetton_masters[0]!;
    const told = async () => (await masters())?.metadata[address]?.token_info[0];
    const before = await told();
    const content = '{"name":"Not a jetton","symbol":"NOT"}';
    const set = await override('set', address.toLowerCase(), '--content', content, '--scam');
    expect(set).toMatchObject({ code: 0, stdout: `${address}  scam  ${content}\n` });
    const listed = await override('list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([{ address, content, is_nsfw: false, is_scam: true }]);
    await until(async () => (await told())?.is_scam === true);
    expect(await told()).toMatchObject({ name: 'Not a jetton', symbol: 'NOT', is_nsfw: false });
    expect(await override('set', address, '--nsfw')).toMatchObject({ code: 0 });
    expect((await override('list')).stdout).toBe(`${address}  nsfw\n1 overrides\n`);
    const refusals = [
      override('set', 'nowhere', '--scam'),
      override('set', address, '--content', '[1]'),
      override('set', address),
      override('remove', TO),
    ];
    expect((await Promise.all(refusals)).map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(await override('remove', address)).toMatchObject({ code: 0, stdout: `removed ${address}\n` });
    expect((await override('list')).stdout).toBe('0 overrides\n');
    await until(async () => JSON.stringify(await told()) === JSON.stringify(before));
  });

  it('sets, lists and removes what may be claimed of a mintless jetton, and refuses what is none', async () => {
    const mintless = (...args: string[]) => runCli(['metadata', 'mintless', ...args, '--data', directory]);
    const file = join(directory, 'amounts.csv');
    const master = `0:${'AB'.repeat(32)}`;
    writeFileSync(file, `${TO},5,1700000000\n0:${'c'.repeat(64)},7\n`);
    const link = 'https://claim.example/api';
    const set = await mintless('set', master.toLowerCase(), '--claim-at', link, '--amounts', file);
    expect(set).toMatchObject({ code: 0, stdout: `${master}  2 owners  ${link}\n` });
    const listed = await mintless('list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([
      { address: master, owners: 2, custom_payload_api_uri: [link] },
    ]);
    // Zero takes an owner back; those that the file does not name stay, as the links do.
    writeFileSync(file, `${TO},0\n`);
    expect(await mintless('set', master, '--amounts', file)).toMatchObject({ code: 0 });
    expect((await mintless('list')).stdout).toBe(`${master}  1 owners  ${link}\n1 mintless jettons\n`);
    writeFileSync(file, `${TO},1\nnobody,1\n`);
    const refused = await mintless('set', master, '--amounts', file);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 2')]);
    const refusals = [
      mintless('set', 'nowhere', '--claim-at', link),
      mintless('set', master, '--claim-at', 'ftp://claim'),
      mintless('set', master),
      mintless('remove', TO),
    ];
    expect((await Promise.all(refusals)).map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect((await mintless('list')).stdout).toContain('  1 owners  ');
    expect(await mintless('remove', master)).toMatchObject({ code: 0, stdout: `removed ${master}\n` });
    expect((await mintless('list')).stdout).toBe('0 mintless jettons\n');
  });

  it('adds, lists and removes webhooks, and refuses what is none', { timeout: 600_000 }, async () => {
    const hooks = (...args: string[]) => runCli(['hooks', ...args, '--data', directory]);
    const filter = JSON.stringify({ types: ['transactions'], addresses: [TO] });
    const added = await hooks('add', 'http://127.0.0.1:9/hook', '--filter', filter, '--allow-private');
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^\S+ whsec_\S+\n$/)]);
    const [id, secret] = added.stdout.trim().split(' ');
    const listed = await hooks('list', '--json');
    expect(JSON.parse(listed.stdout)).toEqual([
      expect.objectContaining({
        id,
        url: 'http://127.0.0.1:9/hook',
        filter,
        allowsPrivate: true,
        position: null,
      }),
    ]);
    expect(listed.stdout).not.toContain(secret);
    const refusals = await Promise.all([
      hooks('add', 'file:///etc/passwd', '--filter', filter),
      hooks('add', 'http://user:word@example.com/', '--filter', filter),
      hooks('add', 'http://example.com/', '--filter', '{"types":["blocks"]}'),
      hooks('remove', 'nothing'),
    ]);
    expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(refusals[2]!.stderr).toContain('invalid event type: blocks');
    expect(await hooks('dead-letters')).toMatchObject({ code: 0, stdout: '0 dead letters\n' });
    expect(await hooks('retry')).toMatchObject({ code: 0, stdout: '0 deliveries will be sent once more\n' });
    expect(await hooks('remove', id!)).toMatchObject({ code: 0, stdout: expect.stringContaining(id!) });
    expect(await hooks('list')).toMatchObject({ code: 0, stdout: '0 webhooks\n' });
  });

  it('makes blocks on command', async () => {
    const before = await head();
    const { code, stdout } = await localnet('mine', '7');
    expect(code).toBe(0);
    const seqno = Number(/^masterchain block (\d+)\n$/.exec(stdout)?.[1]);
    expect(seqno).toBeGreaterThanOrEqual(before + 7);
    await until(async () => (await head()) >= seqno);
  });

  it('lets time jump ahead', async () => {
    const { code, stdout } = await localnet('warp', '86400');
    expect(code).toBe(0);
    const utime = Number(/\((\d+)\)\n$/.exec(stdout)?.[1]);
    expect(utime - Date.now() / 1000).toBeGreaterThan(86_000);
  });

  it('generates traffic on command, and ends it', async () => {
    expect(await localnet('traffic', '20')).toMatchObject({
      code: 0,
      stdout: '20 transactions per second\n',
    });
    await until(async () => {
      const found = await get('v3/transactions?workchain=0&limit=100');
      return ((found?.transactions ?? []) as readonly unknown[]).length > 60;
    });
    expect(await localnet('traffic', '0')).toMatchObject({ code: 0, stdout: '0 transactions per second\n' });
    expect(await localnet('traffic', 'much')).toMatchObject({ code: 2 });
  });

  it('is controlled by HTTP from the same machine only, and by no foreign page', async () => {
    const control = (command: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${url}/localnet/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const mined = await control('mine', { blocks: 2 });
    expect([mined.status, await mined.json()]).toEqual([200, { seqno: expect.any(Number) }]);
    expect(await (await control('status', {})).json()).toMatchObject({
      traffic: 0,
      seqno: expect.any(Number),
    });
    const refused = [
      control('mine', { blocks: 0 }),
      control('mine', { blocks: 1_001 }),
      control('fund', { address: TO, amount: 'much' }),
      control('nothing', {}),
      control('accounts', {}, { origin: 'https://evil.example' }),
      control('accounts', {}, { 'x-forwarded-for': '203.0.113.1' }),
    ];
    const statuses = (await Promise.all(refused)).map(({ status }) => status);
    expect(statuses).toEqual([422, 422, 422, 404, 403, 403]);
    expect(((await get('../healthz')) as { controls?: string } | null)?.controls).toBe('/localnet');
  });

  it('runs get methods and takes messages where `up` runs the chain', async () => {
    const address = /"address":"([^"]+)"[^\n]*wallet faucet/.exec(up.text.stdout + up.text.stderr)![1]!;
    const answer = await fetch(`${url}/api/v2/runGetMethod`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, method: 'seqno', stack: [] }),
    });
    expect(await answer.json()).toMatchObject({ ok: true, result: { exit_code: 0 } });
  });

  it('reports what is wrong with its arguments', async () => {
    const runs = await Promise.all([
      localnet('fund', 'nobody', '1'),
      localnet('fund', TO, '0.0000000001'),
      localnet('fund', `5:${'5'.repeat(64)}`, '1'),
      localnet('fund', TO, '99999999999'),
      localnet('mine', 'many'),
      runCli(['localnet', 'mine', '--data', join(directory, 'elsewhere')]),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([2, 2, 1, 1, 2, 1]);
    const errors = runs.map(({ stderr }) => stderr);
    expect(errors[0]).toContain('ADDRESS');
    expect(errors[1]).toContain('AMOUNT');
    expect(errors[2]).toContain('workchain 0 or -1');
    expect(errors[3]).toContain('the faucet has');
    expect(errors[4]).toContain('N (from command line)');
    expect(errors[5]).toMatch(/NoLocalnetError: no local chain runs in .*elsewhere/);
  });

  it('accepts commands only from its owner, and detects a chain that has ended', async () => {
    const file = join(directory, 'localnet/control.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const told = JSON.parse(readFileSync(file, 'utf8')) as { port: number; token: string };
    const stranger = await fetch(`http://127.0.0.1:${told.port}/mine`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(401);
    // A killed process leaves a port without a listener.
    writeFileSync(file, JSON.stringify({ ...told, port: 1 }));
    const { code, stderr } = await localnet('mine');
    writeFileSync(file, JSON.stringify(told));
    expect([code, stderr]).toEqual([1, expect.stringContaining('no local chain runs in')]);
  });
});
