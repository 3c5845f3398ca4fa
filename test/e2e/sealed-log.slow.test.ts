import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SLOW_MS = 600_000;

describeWithChain('a data directory with sealed epochs', ({ source }) => {
  let folder: string;
  let directory: string;
  /** One store for all commands: with an embedded one, each of them would start it again. */
  let server: TestServer;
  const start = (...args: readonly string[]) => {
    const { url, connection, server: embedded } = server;
    return startMain([...args, '--data', directory], {
      TONHOUSE_LOG_LEVEL: 'error',
      TONHOUSE_CLICKHOUSE_URL: url,
      TONHOUSE_CLICKHOUSE_USER: String(connection.user),
      TONHOUSE_CLICKHOUSE_PASSWORD: String(connection.password),
      TONHOUSE_CLICKHOUSE_READ_PASSWORD: embedded.readPassword,
    });
  };

  async function run(...args: readonly string[]) {
    const running = start(...args);
    const code = await running.ended;
    return { code, ...running.text };
  }
  async function answer(...args: readonly string[]) {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  }
  const sealedFiles = () =>
    readdirSync(join(directory, 'log/sealed'))
      .filter((name) => name.endsWith('.sealed'))
      .map((name) => join(directory, 'log/sealed', name));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-sealed-'));
    directory = join(folder, 'data');
    server = await startTestServer();
    const indexed = await run('index', source, '--epoch-size', '20', '--keep-log');
    expect(indexed.code, indexed.stderr).toBe(0);
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'seals by one command, shows it, verifies every block of it, and continues',
    async () => {
      const before = await answer('verify', '--log');
      const sealed = await answer('log', 'seal');
      expect(sealed.sealed.length).toBeGreaterThan(2);
      expect(sealed.bytes_after).toBeLessThan(sealed.bytes_before);
      const { log } = await answer('status');
      expect(log.sealed).toEqual(sealed.sealed);
      expect((await run('status')).stdout).toMatch(/log sealed +\d+ of these records in \d+ files/);
      const after = await answer('verify', '--log');
      expect(after.log).toEqual(before.log);
      expect(after).toMatchObject({ problems: 0, log: { problems: 0 } });
      expect((await run('index', source, '--seal-log')).code).toBe(0);
      expect((await answer('status')).log.sealed).toEqual(sealed.sealed);
    },
    SLOW_MS,
  );

  it(
    'names a sealed file that is cut in a whole report, does not use it, and makes the log again from the store',
    async () => {
      const [path = ''] = sealedFiles();
      const whole = readFileSync(path);
      truncateSync(path, whole.length - 1);
      const found = await run('verify', '--log');
      expect(found.code).toBe(1);
      expect(found.stdout).toContain(`${path} cannot be used`);
      expect(found.stdout).toMatch(/masterchain 1 to \d+: \d+ problems/);
      writeFileSync(path, whole);
      expect((await run('verify', '--log')).code).toBe(0);
      truncateSync(path, whole.length - 1);
      const repaired = await run('verify', '--repair', '--log');
      expect(repaired.stdout).toContain('0 problems');
      expect(repaired.code).toBe(0);
    },
    SLOW_MS,
  );

  it(
    'answers the same to the byte after raw blocks of old epochs are dropped, and does not replace the only copy',
    async () => {
      directory = join(folder, 'hot');
      await emptyServer(server);
      expect((await run('index', source, '--epoch-size', '20', '--keep-log')).code).toBe(0);
      const before = await answersWithCells();
      const { dropped } = await answer('log', 'seal', '--hot-epochs', '1');
      expect(dropped.length).toBeGreaterThan(2);
      expect((await answer('log', 'seal', '--hot-epochs', '1')).dropped).toEqual([]);
      expect(await answersWithCells()).toEqual(before);
      const { blocks, tables } = await answer('status');
      const last = (dropped.at(-1) + 1) * 20 - 1;
      expect(blocks).toMatchObject({ cold: [{ first: 0, last }], hot: { first: last + 1 } });
      expect(tables.find(({ table }: { table: string }) => table === 'raw_blocks').rows).toBeGreaterThan(0);
      expect((await run('status')).stdout).toContain(
        `blocks cold    masterchain 0 to ${last}, in sealed files only`,
      );
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });

      const path = sealedFiles().find((name) => /-1-\d+\.sealed$/.test(name)) ?? '';
      truncateSync(path, readFileSync(path).length - 1);
      const found = await run('verify');
      expect(found.code).toBe(1);
      expect(found.stdout).toMatch(/FAIL cold-blocks/);
      expect(found.stdout).toContain(`${path} cannot be used`);
      const repaired = await run('verify', '--repair');
      expect(repaired.code).not.toBe(0);
      expect(repaired.stderr).toContain('only copies of the raw blocks');
      expect(sealedFiles()).toContain(path);
      // An archive has them: they are in the store again.
      const restored = await run('verify', '--repair', '--source', source);
      expect(restored.stderr).toContain('only copies of the raw blocks');
      expect((await run('verify')).stdout).toMatch(/ok +cold-blocks/);
      expect(await answersWithCells()).toEqual(before);
    },
    SLOW_MS,
  );

  /** v2 answers with cells of raw blocks, of all masterchain blocks. */
  async function answersWithCells(): Promise<unknown[]> {
    const serving = start(
      ...['serve', '--port', '0', '--log-format', 'json', '--log-level', 'info'],
      ...['--query-timeout-ms', '60000'],
    );
    try {
      let url: string | undefined;
      while (!url) {
        url = /"url":"(http:[^"]+)"/.exec(serving.text.stdout + serving.text.stderr)?.[1];
        if (serving.child.exitCode !== null) throw new Error(serving.text.stderr);
        await setTimeout(50);
      }
      const answers: unknown[] = [];
      const shard = encodeURIComponent('-9223372036854775808');
      for (let seqno = 1; seqno <= 60; seqno++) {
        const query = `workchain=-1&shard=${shard}&seqno=${seqno}&count=40`;
        for (;;) {
          const response = await fetch(`${url}/api/v2/getBlockTransactionsExt?${query}`);
          const text = await response.text();
          // Nothing is visible yet.
          if (response.status === 503) await setTimeout(100);
          else {
            expect(response.status, text).toBe(200);
            answers.push(JSON.parse(text).result.transactions);
            break;
          }
        }
      }
      return answers;
    } finally {
      serving.child.kill('SIGTERM');
      await serving.ended;
    }
  }
});
