import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { runCli, startCli } from '../helpers/run-cli.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const untouched = join(root, 'untouched');
const missing = join(root, 'missing');
const badFile = join(root, 'bad.conf');
writeFileSync(badFile, 'port = 1\nlog-lvel = info\n');
const thisFile = fileURLToPath(import.meta.url);
const lastLine = (text: string) =>
  JSON.parse(text.trim().split('\n').at(-1) as string) as Record<string, unknown>;

describe('the command line', () => {
  it('explains itself: a command lists every setting, with its default', async () => {
    const helps = await Promise.all(
      ['up', 'index', 'serve', 'export'].map((command) => runCli([command, '--help'])),
    );
    const text = helps.map(({ stdout }) => stdout.replaceAll(/\s+/g, ' ')).join('\n');
    for (const setting of Object.values(SETTINGS)) {
      expect(text).toContain(`--${setting.flag}`);
      if ('value' in setting && 'fallback' in setting) expect(text).toContain(`default ${setting.fallback}`);
    }
    expect(helps.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  it.each([
    [['index', `archive:${missing}`, '--lanes', 'many'], {}, /--lanes.*"many".*1 to 1024/],
    [['serve'], { TONHOUSE_PORT: '70000' }, /--port.*TONHOUSE_PORT.*"70000".*0 to 65535/],
    [['serve'], { TONHOUSE_CONFIG: badFile }, /log-lvel.*bad.conf, line 2.*"log-level"/],
    [['nonsense'], {}, /unknown command/],
    [['index', `archive:${missing}`, '--data', untouched], {}, /archive:.*missing.*ENOENT/],
    [['index', 'kafka:x', '--data', untouched], {}, /archive:PATH.*files:PATH/],
    [['capture', 'foo:x', '--data', untouched], {}, /archive:PATH.*files:PATH/],
    [['up', '--source', 'foo:x', '--data', untouched, '--port', '0'], {}, /archive:PATH.*files:PATH/],
    [['index', `files:${root}`, '--network', 'Bad', '--data', untouched], {}, /--network "Bad"/],
    [['index', `files:${root}`, '--data', untouched], { TONHOUSE_NETWORK: 'test=zz:yy' }, /64 hex digits/],
    [['index', `files:${root}`, '--network', 'mainnet=00:11', '--data', untouched], {}, /64 hex digits/],
    [['index', `files:${root}`, '--state', missing, '--data', untouched], {}, /--state.*missing.*ENOENT/s],
    [['capture', `files:${root}`, '--state', root, '--data', untouched], {}, /--state.*is a folder/s],
    [
      ['index', `files:${root}`, '--state', thisFile, '--data', untouched],
      {},
      /--state.*complete shard state/,
    ],
    [['up', '--source', 'localnet', '--host', 'nowhere.invalid', '--data', untouched], {}, /--host/],
    [['index', `files:${root}`, '--data', thisFile], {}, /--data/],
    [['replay', 'nothing', '--data', untouched], {}, /no projection "nothing"/],
    [['hooks', 'add', 'nowhere', '--filter', '{}', '--data', untouched], {}, /nowhere/],
  ])('refuses %j with code 2 and what is allowed', async (args, environment, message) => {
    const { code, stderr } = await runCli(args, environment as Record<string, string>);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(2);
    expect(existsSync(untouched)).toBe(false);
  });

  it.each([
    [['hooks', 'add', '--help'], /<URL>.*--filter <JSON>.*--allow-private/s],
    [['hooks', 'list', '--help'], /--json/],
    [['hooks', 'remove', '--help'], /<ID>/],
    [['cells', '--help'], /Usage: tonhouse cells/],
  ])('explains %j', async (args, message) => {
    const { code, stdout } = await runCli(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(message)]);
  });

  it('refuses a port that is in use with code 2, before anything is started', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runCli(['up', '--data', untouched, '--port', `${port}`]);
    server.close();
    expect(stderr).toMatch(/--port.*EADDRINUSE/);
    expect(code).toBe(2);
    expect(existsSync(untouched)).toBe(false);
  });

  it.each([
    [['status', '--data', join(root, 'empty')], /contains no index/],
    [
      ['status', '--data', join(root, 'empty'), '--clickhouse-deaf-ms', '2000'],
      /^--clickhouse-deaf-ms is now --clickhouse-unresponsive-ms\n.*contains no index/,
    ],
  ])('fails with code 1 and a clear line: %j', async (args, message) => {
    const { code, stderr } = await runCli(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  });
});

describeWithData('the commands on mainnet from its first block', (data) => {
  const directory = join(root, 'genesis');
  const source = `archive:${data}/blocks/packs`;
  let first: Record<string, unknown>;

  beforeAll(async () => {
    const { code, stdout } = await runCli(['index', source, '--data', directory]);
    expect(code).toBe(0);
    first = lastLine(stdout);
  });

  it('index: everything, nothing lost', () => {
    expect(first).toMatchObject({
      first_mc_seqno: 1,
      last_mc_seqno: 99,
      blocks: 299,
      transactions: 1087,
      dead_letters: 0,
    });
    expect(Object.keys(first)).toEqual([
      'first_mc_seqno',
      'last_mc_seqno',
      'blocks',
      'transactions',
      'messages',
      'dead_letters',
      'seconds',
    ]);
  });

  it('index once more: nothing new, the same numbers', async () => {
    const { code, stdout } = await runCli(['index', source, '--data', directory]);
    expect(code).toBe(0);
    expect({ ...lastLine(stdout), seconds: 0 }).toEqual({ ...first, seconds: 0 });
  });

  it('verify: clean', async () => {
    const { code, stdout } = await runCli(['verify', '--data', directory, '--json']);
    const report = lastLine(stdout) as { problems: number; visible: object; checks: object[] };
    expect(report).toMatchObject({ problems: 0, visible: { last: 99 } });
    expect(report.checks.length).toBeGreaterThan(15);
    expect(code).toBe(0);
  });

  it('status: head, lag, sizes', async () => {
    const { stdout } = await runCli(['status', '--data', directory, '--json']);
    const report = lastLine(stdout) as {
      lag: { committed: number; end: number }[];
      tables: { table: string }[];
    };
    expect(report).toMatchObject({ network: 'mainnet', dead_letters: 0, visible: { last: 99 } });
    expect(report.lag.every(({ committed, end }) => committed === end)).toBe(true);
    expect(report.tables.map(({ table }) => table)).toContain('transactions');
    const { stdout: text } = await runCli(['status', '--data', directory]);
    expect(text).toMatch(/bytes\/transaction/);
  });

  it('serve: answers, and ends in order on SIGTERM', async () => {
    const server = startCli(['serve', '--data', directory, '--port', '0']);
    try {
      const url = await addressOf(server.text);
      const { last } = (await (await fetch(`${url}/api/v3/masterchainInfo`)).json()) as {
        last: { seqno: number };
      };
      expect(last.seqno).toBe(99);
      const { result } = (await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as {
        result: { last: { seqno: number } };
      };
      expect(result.last.seqno).toBe(99);
      // A second process on the same directory uses the running store.
      expect((await runCli(['status', '--data', directory])).code).toBe(0);
    } finally {
      server.child.kill('SIGTERM');
    }
    expect((await server.ended).code).toBe(0);
  });

  it('up: answers while it indexes, and ends in order on SIGTERM', async () => {
    const up = startCli([
      'up',
      '--source',
      source,
      '--data',
      join(root, 'up'),
      '--port',
      '0',
      '--batch-rows',
      '50',
    ]);
    try {
      const url = await addressOf(up.text);
      const head = async () => {
        const answer = await fetch(`${url}/api/v3/masterchainInfo`);
        return answer.ok ? ((await answer.json()) as { last: { seqno: number } }).last.seqno : 0;
      };
      const heads = [await head()];
      while (heads.at(-1) !== 99 && heads.length < 600) {
        await sleep(50);
        heads.push(await head());
      }
      expect(heads.at(-1)).toBe(99);
      expect(heads).toEqual(heads.toSorted((a, b) => a - b));
    } finally {
      up.child.kill('SIGTERM');
    }
    expect((await up.ended).code).toBe(0);
  });

  it('another source cannot come into the data directory', async () => {
    const { code, stderr } = await runCli(['index', `files:${data}/blocks/private-a`, '--data', directory]);
    expect(stderr).toMatch(/Foreign|gap|follow/i);
    expect(code).toBe(1);
    const isolated = await runCli([
      'index',
      `files:${data}/blocks/testnet`,
      '--isolated',
      '--data',
      directory,
    ]);
    expect(isolated.stderr).toMatch(/continuity/);
    expect(isolated.code).toBe(1);
  });
});

describeWithData('dead letters', (data) => {
  const set = join(data, 'blocks', 'mainnet-mc-2660');
  const folder = join(root, 'damaged');
  const directory = join(root, 'damaged-data');

  it('a block that cannot be read is kept with its bytes and its error, and the others are indexed', async () => {
    const blocks = readdirSync(set).filter((name) => name.endsWith('.boc'));
    mkdirSync(folder, { recursive: true });
    for (const name of blocks) copyFileSync(join(set, name), join(folder, name));
    const victim = join(folder, blocks[3] as string);
    writeFileSync(victim, readFileSync(victim).subarray(0, 3_000));
    const { code, stdout } = await runCli(['index', `files:${folder}`, '--isolated', '--data', directory]);
    expect(lastLine(stdout)).toMatchObject({ blocks: blocks.length - 1, dead_letters: 1 });
    expect(code).toBe(1);
    const list = await runCli(['dead-letters', 'list', '--data', directory, '--json']);
    const letters = JSON.parse(list.stdout) as { stage: string; error: string; bytes: number }[];
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ stage: 'capture', bytes: 3_000 });
    const out = join(root, 'letters');
    expect((await runCli(['dead-letters', 'export', '--data', directory, '--out', out])).code).toBe(0);
    expect(readdirSync(out).some((name) => readFileSync(join(out, name)).length === 3_000)).toBe(true);
  });
});

/** The address that a server announces on stderr. */
async function addressOf(text: { stderr: string }): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text.stderr)?.[0];
    if (url && /answering/.test(text.stderr)) return url;
    await sleep(50);
  }
  throw new Error(`no address announced: ${text.stderr}`);
}
