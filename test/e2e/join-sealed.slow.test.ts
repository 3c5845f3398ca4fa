import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { type RunningMain, startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 1_800_000;
const SHAPE = ['--epoch-size', '10', '--batch-rows', '200'];
const PROJECTIONS = ['--projections', 'base,activity'];

describeWithChain('indexes of ranges with sealed epochs', ({ source, isMainnet }) => {
  let folder: string;
  let server: TestServer;
  let truth: Awaited<ReturnType<typeof picture>>;
  /** v2 answers with cells of raw blocks. */
  let answers: readonly unknown[];
  const base = getDatabase({ network: isMainnet ? 'mainnet' : 'localnet' }, BASE);
  const at = (directory: string) => join(folder, directory);
  const sealedIn = (directory: string) =>
    readdirSync(join(at(directory), 'log/sealed'))
      .filter((name) => name.endsWith('.sealed'))
      .sort();
  const contents = (directory: string) =>
    sealedIn(directory).map((name) => readFileSync(join(at(directory), 'log/sealed', name)).toString('hex'));

  /** On the test's server; ranges have stores of their own. */
  const start = (args: readonly string[], isRange = false) =>
    startMain(args, {
      TONHOUSE_LOG_LEVEL: 'error',
      ...(!isRange && {
        TONHOUSE_CLICKHOUSE_URL: server.url,
        TONHOUSE_CLICKHOUSE_USER: String(server.connection.user),
        TONHOUSE_CLICKHOUSE_PASSWORD: String(server.connection.password),
        TONHOUSE_CLICKHOUSE_READ_PASSWORD: server.server.readPassword,
      }),
    });
  async function run(args: readonly string[], isRange = false) {
    const running = start(args, isRange);
    const code = await running.ended;
    return { code, ...running.text };
  }
  async function answer(args: readonly string[], isRange = false): Promise<string> {
    const { code, stdout, stderr } = await run(args, isRange);
    expect(code, stderr + stdout).toBe(0);
    return stdout;
  }
  const read = async (...args: readonly string[]) => JSON.parse(await answer([...args, '--json']));

  /** Rows of all tables but that of raw blocks, which are in different places. */
  async function picture(database = base) {
    const { raw_blocks: _, ...tables } = await versionPicture(server.client, database);
    return tables;
  }
  async function confirmedSteps(): Promise<number> {
    const { rows } = await server.client.queryRows<[string]>(`SELECT max(last) FROM ${base}.confirmed`, {
      route: 'test',
    });
    return Number(rows[0]?.[0]);
  }

  async function answersWithCells(directory: string): Promise<unknown[]> {
    const serving = start([
      ...['serve', '--data', at(directory), '--port', '0', '--log-format', 'json'],
      ...['--log-level', 'info', '--query-timeout-ms', '60000'],
    ]);
    try {
      const url = await listening(serving);
      const found: unknown[] = [];
      const shard = encodeURIComponent('-9223372036854775808');
      for (let seqno = 1; seqno <= 99; seqno += 2) {
        const query = `workchain=-1&shard=${shard}&seqno=${seqno}&count=40`;
        for (;;) {
          const response = await fetch(`${url}/api/v2/getBlockTransactionsExt?${query}`);
          const text = await response.text();
          // Nothing is visible yet.
          if (response.status === 503) await setTimeout(100);
          else {
            expect(response.status, text).toBe(200);
            found.push(JSON.parse(text).result.transactions);
            break;
          }
        }
      }
      return found;
    } finally {
      serving.child.kill('SIGTERM');
      await serving.ended;
    }
  }

  /** Kills a command when something is true. */
  async function killWhen(args: readonly string[], isTrue: () => Promise<boolean> | boolean): Promise<void> {
    const running = start(args);
    while (!(await isTrue())) {
      if (running.child.exitCode !== null) throw new Error(running.text.stderr);
      await setTimeout(2);
    }
    running.child.kill('SIGKILL');
    await running.ended;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-join-sealed-'));
    server = await startTestServer();
    await answer(['index', source, '--data', at('truth'), ...PROJECTIONS, ...SHAPE]);
    truth = await picture();
    answers = await answersWithCells('truth');
    const startLt = JSON.parse(await answer(['status', '--data', at('truth'), '--json'])).start_lt;
    // The views that `serve` made depend on the tables.
    await server.stop();
    server = await startTestServer();
    await answer([
      ...['index', source, '--data', at('first'), '--to', '33', '--hot-epochs', '1'],
      ...[...PROJECTIONS, ...SHAPE],
    ]);
    const range = (directory: string, ...args: readonly string[]) =>
      answer(
        ['index', source, '--data', at(directory), '--start-lt', startLt, ...args, ...SHAPE].concat(
          '--projections',
          'base',
        ),
        true,
      );
    await range('second', '--from', '34', '--to', '65', '--hot-epochs', '1');
    await range('third', '--from', '66', '--seal-log');
    await answer(['raw', 'move', '--to', at('disk'), '--data', at('third')]);
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'are refused if a sealed file is missing or altered, and nothing is joined',
    async () => {
      const args = ['join', at('second'), at('third'), '--data', at('first')];
      const before = sealedIn('first');
      const refused = async (message: string) => {
        const { code, stderr } = await run(args);
        expect(code).toBe(1);
        expect(stderr).toContain(message);
        expect(sealedIn('first')).toEqual(before);
        expect(await confirmedSteps()).toBe(33);
      };
      const [name = ''] = sealedIn('second');
      const path = join(at('second'), 'log/sealed', name);
      const whole = readFileSync(path);
      const altered = Buffer.from(whole);
      // A value of the first chunk, which only the copying reads.
      const place = altered.length >> 2;
      altered[place] = (altered[place] as number) ^ 1;
      writeFileSync(path, altered);
      await refused(`${path} cannot be used`);
      rmSync(path);
      await refused(`the sealed file ${path} is missing`);
      writeFileSync(path, whole);
      renameSync(at('disk'), at('away'));
      await refused(`the sealed file ${join(at('third'), 'log/sealed')}`);
      renameSync(at('away'), at('disk'));
    },
    SLOW_MS,
  );

  it(
    'are joined with their files, also after kill -9, and all blocks are read, verified and replayed',
    async () => {
      const args = ['join', at('third'), at('second'), '--data', at('first')];
      const before = ['second', 'third'].map(contents);
      const own = sealedIn('first').length;
      await killWhen(args, () => sealedIn('first').length > own);
      await killWhen(args, async () => (await confirmedSteps()) > 33);
      const { joined } = JSON.parse(await answer(args));
      expect(joined.map(({ first }: { first: number }) => first)).toEqual([34, 66]);
      expect(['second', 'third'].map(contents)).toEqual(before);
      expect(contents('first').slice().sort()).toEqual(expect.arrayContaining(before.flat()));
      expect(sealedIn('first')).toHaveLength(own + before.flat().length);
      expect(await picture()).toEqual(truth);

      const { log, blocks } = await read('status', '--data', at('first'));
      expect(log.sealed.map(({ epoch }: { epoch: number }) => epoch)).toEqual(
        expect.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7, 8]),
      );
      expect(blocks.cold).toEqual([{ first: 0, last: 59 }]);
      expect(await read('verify', '--log', '--data', at('first'))).toMatchObject({
        problems: 0,
        log: { problems: 0 },
      });
      expect(await answersWithCells('first')).toEqual(answers);

      const again = JSON.parse(await answer(args)).joined;
      expect(again).toMatchObject([
        { state: 'present', sealed_files: 0 },
        { state: 'present', sealed_files: 0 },
      ]);
    },
    SLOW_MS,
  );

  it(
    'continue as one index, whose log is made again from all of its files',
    async () => {
      await answer(['index', source, '--data', at('first'), '--hot-epochs', '1', ...PROJECTIONS]);
      expect(await answer(['replay', 'base', '--yes', '--data', at('first')])).toContain('is served');
      writeFileSync(join(at('first'), 'log/log.sqlite'), 'no database');
      const repaired = await read('verify', '--repair', '--data', at('first'));
      expect(repaired).toMatchObject({ problems: 0, repair: { lost: [] }, rebuilt_log: { refused: [] } });
      expect(await read('verify', '--log', '--data', at('first'))).toMatchObject({
        problems: 0,
        log: { problems: 0 },
      });
      expect(await answersWithCells('first')).toEqual(answers);
    },
    SLOW_MS,
  );
});

async function listening({ text, child }: RunningMain): Promise<string> {
  for (;;) {
    const url = /"url":"(http:[^"]+)"/.exec(text.stdout + text.stderr)?.[1];
    if (url) return url;
    if (child.exitCode !== null) throw new Error(text.stderr);
    await setTimeout(50);
  }
}
