import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellsOfBlocks } from '../helpers/block-answers.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { dataCommands, storeEnvironment } from '../helpers/data-commands.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { makeTokenPacks } from '../helpers/token-packs.ts';

const SLOW_MS = 1_200_000;

/** v2 answers with cells of raw blocks, of all masterchain blocks. */
const answersWithCells = (url: string) => cellsOfBlocks(url, 60);

describeWithChain('a data directory with sealed epochs', ({ source }) => {
  let folder: string;
  let directory: string;
  /** Of the index whose old raw blocks are dropped: answers before, and dropped epochs. */
  let before: unknown[];
  let dropped: number[];
  /** One store for all commands: with an embedded one, each of them would start it again. */
  let server: TestServer;
  const { run, answer, served } = dataCommands(
    () => directory,
    () => storeEnvironment(server),
  );
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
    // The same index before anything is sealed. Tests of the first directory do not change the store.
    cpSync(directory, join(folder, 'hot'), { recursive: true });
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
    'answers the same to the byte after raw blocks of old epochs are dropped',
    async () => {
      directory = join(folder, 'hot');
      before = await served([], answersWithCells);
      ({ dropped } = await answer('log', 'seal', '--hot-epochs', '1'));
      expect(dropped.length).toBeGreaterThan(2);
      expect((await answer('log', 'seal', '--hot-epochs', '1')).dropped).toEqual([]);
      expect(await served([], answersWithCells)).toEqual(before);
      const { blocks, tables } = await answer('status');
      const last = ((dropped.at(-1) ?? 0) + 1) * 20 - 1;
      expect(blocks).toMatchObject({ cold: [{ first: 0, last }], hot: { first: last + 1 } });
      expect(tables.find(({ table }: { table: string }) => table === 'raw_blocks').rows).toBeGreaterThan(0);
      expect((await run('status')).stdout).toContain(
        `blocks cold    masterchain 0 to ${last}, in sealed files only`,
      );
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });
    },
    SLOW_MS,
  );

  it(
    'lists the blocks that only a damaged sealed file has, and uses all other files',
    async () => {
      const path = sealedFiles().find((name) => /-1-\d+\.sealed$/.test(name)) ?? '';
      truncateSync(path, readFileSync(path).length - 1);
      const found = await run('verify');
      expect(found.code).toBe(1);
      expect(found.stdout).toMatch(/FAIL cold-blocks/);
      expect(found.stdout).toContain(`${path} cannot be used`);
      const repaired = await run('verify', '--repair');
      expect(repaired.code).toBe(1);
      expect(repaired.stdout).toMatch(/the log is made again from the store and \d+ sealed files/);
      expect(repaired.stdout).toMatch(
        /the log does not have raw-blocks-1-\d+\.sealed any more: .* cannot be used/,
      );
      expect(repaired.stdout).toMatch(/masterchain \d+ cannot be restored/);
      expect(repaired.stdout).toMatch(/FAIL cold-blocks/);
      expect((await answer('status')).log.sealed.map(({ epoch }: { epoch: number }) => epoch)).toEqual(
        dropped.filter((epoch) => epoch !== 1),
      );
      // An archive has them: they are in the store again.
      const restored = await answer('verify', '--repair', '--source', source);
      expect(restored).toMatchObject({ problems: 0, repair: { lost: [] } });
      expect(restored.rebuilt_log).toBeUndefined();
      expect(await served([], answersWithCells)).toEqual(before);
    },
    SLOW_MS,
  );

  it(
    'makes a lost log again from the sealed files, and continues',
    async () => {
      // The directory of the log is lost: all sealed files are used, and capture continues.
      writeFileSync(join(directory, 'log/log.sqlite'), 'no database');
      const rebuilt = await answer('verify', '--repair');
      expect(rebuilt).toMatchObject({ problems: 0, repair: { lost: [] }, rebuilt_log: { refused: [] } });
      expect(rebuilt.rebuilt_log.files).toBe(dropped.length - 1);
      expect((await run('index', source, '--hot-epochs', '1')).code).toBe(0);
      expect(await served([], answersWithCells)).toEqual(before);
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });
    },
    SLOW_MS,
  );

  it(
    'seals at the end of an index, and does not lose start states with the first sealed file',
    async () => {
      directory = join(folder, 'tokens');
      // The views that a server made depend on tables of the other network.
      await server.stop();
      server = await startTestServer();
      const tokens = await makeTokenPacks(join(folder, 'packs'));
      const from = [`archive:${tokens.directory}`];
      const states = tokens.states.flatMap((file) => ['--state', file]);
      const options = [...from, '--network', 'localnet', ...states, '--epoch-size', '5', '--hot-epochs', '1'];
      const indexed = await run('index', ...options);
      expect(indexed.code, indexed.stderr).toBe(0);
      const { log, blocks } = await answer('status');
      expect(log.sealed.length).toBeGreaterThan(2);
      expect(blocks.cold).toEqual([{ first: 0, last: (log.sealed.at(-1).epoch + 1) * 5 - 1 }]);
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0 });

      rmSync(sealedFiles().find((name) => /-0-\d+\.sealed$/.test(name)) ?? '');
      const found = await run('verify');
      expect(found.stdout).toMatch(/FAIL cold-blocks/);
      expect(found.stdout).not.toContain('start states of');
      const repaired = await answer('verify', '--repair', '--source', from[0]!);
      expect(repaired).toMatchObject({ problems: 0, repair: { lost: [] } });
      const { client } = server;
      const { rows } = await client.queryRows<[string]>('SELECT count() FROM localnet.raw_states FINAL', {
        route: 'test',
      });
      expect(Number(rows[0]?.[0])).toBe(tokens.states.length);
      // Releases before this one left them in the sealed file only.
      await client.command('TRUNCATE TABLE localnet.raw_states', { route: 'test' });
      expect((await run('verify')).stdout).toContain('start states of masterchain');
    },
    SLOW_MS,
  );
});
