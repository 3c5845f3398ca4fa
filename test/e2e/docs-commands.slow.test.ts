/**
 * Runs the commands of README.md and the pages of docs, in their order, in a copy of the project beside a running `npm start`. A
 * command that cannot run here is listed with the reason; any other must end with code 0.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, pagesOf } from '../helpers/page-commands.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** Contracts of every local chain. */
const WALLET = '0QA8MG9MJukjyDMqxnxFMh0isAJLqSr9C7CH7i_gk-4OKH59';
const run = promisify(execFile);

/** Commands that are not run here, and why. */
const NOT_RUN: readonly (readonly [RegExp, string])[] = [
  [/^npm (ci|install)\b/, 'the packages are linked from the project'],
  [/^(npm ci && )?npm start$/, 'it runs beside the other commands'],
  [/^npm start -- /, 'a second server of its own: test/e2e/guarded-up.slow.test.ts'],
  [/^npx tonhouse up --cold /, 'a second server of its own: test/e2e/cold-volume.slow.test.ts'],
  [/ s3:\/\//, 'needs a bucket: test/e2e/sealed-bucket.slow.test.ts'],
  [/^(TONHOUSE_\w+=\S+)$/, 'a line of .env for docker compose'],
  [/^(docker|kafka-consumer-groups|kcat)\b/, 'needs containers or a broker'],
  [/--kafka |TONHOUSE_KAFKA=|TONHOUSE_CLICKHOUSE_\w+=/, 'needs a broker or a ClickHouse server'],
  [/^npm run -s test:/, 'simulations have their own runs'],
  [/^npm (test|run)\b/, 'checks and benchmarks have their own runs'],
  [/^npx vitest\b/, 'tests have their own runs'],
  [/\/var\/ton-work\/db|archive:PATH/, 'needs packages of a node'],
  [/^npx node --/, 'programs of a developer: docs/testing.md'],
  [/^(git|nice|time|strace|kill)\b/, 'tools of a developer'],
  [/^node (send-jettons|read-topic)\.mjs/, 'a program of the page: test/e2e/localnet-jetton.slow.test.ts'],
  [/^(tar|mkdir)\b|restored\/data/, 'needs a stopped server: test/e2e/backup.slow.test.ts'],
  [/resume-stream\.ts/, 'runs until it is stopped: examples have their own test'],
  [/^curl -N /, 'a stream, which runs until it is stopped: test/e2e/streaming.slow.test.ts'],
  [/example\.(com|org)|ton\.org/, 'an external host'],
  [
    /liteserver.* --global-config|--source liteserver/,
    'needs a network: npm run test:judges, npm run test:live',
  ],
  [/\/api\/v3\/pending/, 'answers 404 unless a message waits: test/e2e/pending.slow.test.ts'],
  [/^npx tonhouse (generate|index) /, 'takes minutes: test/e2e/synthetic-set.slow.test.ts'],
  [/^npx tonhouse keys revoke/, 'needs the id of a key: test/e2e/cli.slow.test.ts'],
];
/** Pages whose commands are run by a test of their own: they change what is served, or need brokers. */
const OWN_TESTS: Readonly<Record<string, string>> = {
  'docs/replay.md': 'test/e2e/replay-demo.slow.test.ts',
  'docs/cluster.md': 'test/integration, which start brokers and clusters',
  'docs/testing.md': 'the suites themselves',
  'docs/analytics.md': 'test/integration/sql.test.ts and sql-clients.slow.test.ts, with a port of their own',
  'docs/questions.md': 'test/e2e/questions.slow.test.ts',
  'docs/package.md': 'npm run test:package: commands of a folder with the packed file',
};
/** What stands for a value of the reader. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  ADDRESS_OF_THE_JETTON: 'kQAPxup7AK2qOtr5Ih3xsA-oS46w0qUxIcNzg1uC5-wvNydb',
  ADDRESS: WALLET,
  DATA: 'data',
  DIR: 'data',
  NAME: 'reader',
};

/** After a `localnet warp` messages of clients expire: the page that sends some comes first. */
const FIRST = 'docs/localnet.md';
const PAGES = [FIRST, ...pagesOf(PROJECT).filter((page) => page !== FIRST && !OWN_TESTS[page])];

const reasonOf = (command: string) => NOT_RUN.find(([pattern]) => pattern.test(command))?.[1];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('commands of README and docs', { timeout: 600_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'tonhouse-docs-commands-'));
  const clone = join(root, 'tonhouse');
  let port: number;
  let server: ReturnType<typeof spawn>;
  let text = '';
  // Blocks without work are few meanwhile.
  const environment = () => ({ ...process.env, TONHOUSE_PORT: `${port}`, TONHOUSE_BLOCK_MS: '4000' });
  /** Programs that npx has found once. */
  const found = new Set<string>();
  beforeAll(async () => {
    const copy =
      'mkdir "$1" && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1"';
    await run('bash', ['-c', copy, 'copy', clone], { cwd: PROJECT });
    symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
    port = await freePort();
    server = spawn('npm', ['start'], {
      cwd: clone,
      env: environment(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const answering = new Promise<void>((resolve, reject) => {
      server.stderr!.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (/info\s+answering /.test(text)) resolve();
      });
      server.once('exit', () => reject(new Error(`npm start ended: ${text}`)));
    });
    await answering;
    // The first block of a new chain.
    const first = `until curl -fsS http://127.0.0.1:${port}/api/v3/masterchainInfo; do sleep 0.2; done`;
    await run('bash', ['-c', first]);
  }, 600_000);
  afterAll(async () => {
    if (server.exitCode === null) {
      const ended = once(server, 'exit');
      process.kill(-server.pid!, 'SIGTERM');
      await ended;
    }
    rmSync(root, { recursive: true, force: true });
  }, 120_000);

  /** npx takes longer than most commands: it starts each program once, then the program is started itself. */
  const withoutNpx = (command: string) => {
    const [, program = ''] = /^npx (tonhouse|node)\b/.exec(command) ?? [];
    if (!found.has(program)) {
      found.add(program);
      return command;
    }
    return command.replace(/^npx (\w+)/, program === 'tonhouse' ? 'bin/tonhouse' : 'node_modules/.bin/node');
  };
  const filled = (command: string) =>
    Object.entries(PLACEHOLDERS)
      .reduce((line, [name, value]) => line.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value), command)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
      .replace(/^curl /, 'curl -fsS ')
      // The example's last argument is the server; its default is port 8080.
      .replace(/^npx node examples\/send-jettons\.ts .*/, `$& http://127.0.0.1:${port}`);

  async function isServed(message: string): Promise<boolean> {
    const query = new URLSearchParams({ msg_hash: message });
    const answer = await fetch(`http://127.0.0.1:${port}/api/v3/transactionsByMessage?${query}`);
    return ((await answer.json()) as { transactions: readonly unknown[] }).transactions.length > 0;
  }

  it('names tonhouse in one way, which works after the documented install', () => {
    const other = pagesOf(PROJECT).flatMap((page) =>
      commandsOf(PROJECT, page).filter(({ command }) => /^(tonhouse |npm run (-s )?tonhouse)/.test(command)),
    );
    expect(other).toEqual([]);
  });

  it.each(PAGES)('%s', async (page) => {
    const failed: string[] = [];
    for (const { command } of commandsOf(PROJECT, page)) {
      if (reasonOf(command)) continue;
      try {
        const where = { cwd: clone, env: environment() };
        const { stdout } = await run('bash', ['-c', withoutNpx(filled(command))], where);
        // A reader is slower than the next block; the next message of the faucet needs its new seqno.
        const [, message] = /^sent .* TON, message (\S+)$/m.exec(stdout) ?? [];
        if (message) await expect.poll(() => isServed(message)).toBe(true);
      } catch (error) {
        failed.push(`${command}: ${(error as { stderr?: string }).stderr ?? error}`);
      }
    }
    expect(failed).toEqual([]);
  });
});
