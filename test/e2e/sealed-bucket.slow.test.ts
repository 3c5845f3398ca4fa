/** A data directory whose sealed epochs are in a bucket: moto is the S3 server, as in the tests of exports. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cellsOfBlocks } from '../helpers/block-answers.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { dataCommands, storeEnvironment } from '../helpers/data-commands.ts';
import { type S3Server, s3Program, startS3Server } from '../helpers/s3-server.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SLOW_MS = 1_200_000;

/** v2 answers with cells of raw blocks, of all masterchain blocks. */
const answersWithCells = (url: string) => cellsOfBlocks(url, 60);

describeWithChain('a data directory with sealed epochs in a bucket', ({ source }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-sealed-s3-'));
  let directory = join(folder, 'data');
  let server: TestServer;
  let s3: S3Server | null = null;
  let before: unknown[];

  const { run, answer, served } = dataCommands(
    () => directory,
    () => ({ TONHOUSE_LOG_LEVEL: 'warn', ...storeEnvironment(server), ...s3!.environment }),
  );
  const places = async (): Promise<unknown[]> => [
    ...new Set((await answer('status')).log.sealed.map((one: { folder: string }) => one.folder)),
  ];

  beforeAll(async () => {
    const program = await s3Program(folder);
    if (program === null) return;
    s3 = await startS3Server(program);
    server = await startTestServer();
    const options = ['--epoch-size', '20', '--keep-log', '--projections', 'base'];
    const indexed = await run('index', source, ...options);
    expect(indexed.code, indexed.stderr).toBe(0);
    before = await served([], answersWithCells);
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    await s3?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach((context) => {
    if (s3 === null) context.skip('moto, an S3 server in Python, cannot be installed');
  });

  it(
    'moves cold blocks to a bucket, and answers the same to the byte',
    async () => {
      const { dropped } = await answer('log', 'seal', '--hot-epochs', '1');
      expect(dropped.length).toBeGreaterThan(2);
      const moved = await answer('raw', 'move', '--to', 's3://lake/ton/raw');
      expect(moved).toMatchObject({ folder: 's3://lake/ton/raw' });
      expect(moved.files).toBeGreaterThan(2);
      expect(moved.bytes).toBeGreaterThan(10_000);
      expect(await places()).toEqual(['s3://lake/ton/raw']);
      expect((await run('status')).stdout).toContain('files in s3://lake/ton/raw, epochs 0 to');
      let gets = 0;
      s3!.onRequest = ({ method, headers }) => {
        if (method === 'GET' && headers.range) gets++;
      };
      expect(await served([], answersWithCells)).toEqual(before);
      expect(gets).toBeGreaterThan(0);
      s3!.onRequest = () => undefined;
    },
    SLOW_MS,
  );

  it(
    'verifies every block there, and tells an outage from damage',
    async () => {
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });
      const [object] = readdirSync(join(directory, 'log/sealed')).filter((name) =>
        /-1-\d+\.sealed$/.test(name),
      );
      const key = object?.slice(0, -'.sealed'.length) ?? '';
      s3!.onRequest = ({ url }) => (url?.includes(`/${key}-`) ? 'altered' : undefined);
      const damaged = await run('verify', '--log');
      expect(damaged.code).toBe(1);
      expect(damaged.stdout).toContain(`${object} cannot be used`);
      s3!.onRequest = () => undefined;
    },
    SLOW_MS,
  );

  it(
    'replays the blocks, and moves them back',
    async () => {
      const replayed = await run('replay', 'base', '--yes');
      expect(replayed.code, replayed.stderr).toBe(0);
      expect(replayed.stdout + replayed.stderr).toMatch(/version \d+ is served/);
      expect(await served([], answersWithCells)).toEqual(before);
      const wrong = await run('raw', 'move', '--to', 'log', '--s3-secret-key', 'not the secret');
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toContain('SignatureDoesNotMatch');
      expect(wrong.stderr).not.toContain('not the secret');
      const back = await answer('raw', 'move', '--to', 'log');
      expect(await places()).toEqual([join(directory, 'log/sealed')]);
      expect(back.files).toBeGreaterThan(2);
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });
      expect(await served([], answersWithCells)).toEqual(before);
    },
    SLOW_MS,
  );

  it(
    'moves files after they are sealed; while the store is away, they stay and the index goes on',
    async () => {
      directory = join(folder, 'raw');
      // Views of the replayed version depend on tables of the index before.
      await server.stop();
      server = await startTestServer();
      s3!.onRequest = () => 'error';
      const options = ['index', source, '--epoch-size', '20', '--hot-epochs', '1', '--raw', 's3://lake/b'];
      const indexed = await run(...options);
      expect(indexed.code, indexed.stderr).toBe(0);
      expect(indexed.stderr).toContain('sealed files could not be moved');
      const home = join(directory, 'log/sealed');
      expect(await places()).toEqual([home]);
      expect((await run('status')).stdout).toMatch(
        /log move +\d+ files wait to be moved to s3:\/\/lake\/b: .* failed with status 500/,
      );
      expect(await served([], answersWithCells)).toEqual(before);
      s3!.onRequest = () => undefined;
      expect((await run(...options)).code).toBe(0);
      expect(await places()).toEqual(['s3://lake/b']);
      expect((await run('status')).stdout).not.toContain('log move');
      expect(await served([], answersWithCells)).toEqual(before);
      expect(await answer('verify', '--log')).toMatchObject({ problems: 0, log: { problems: 0 } });
      const refused = await run('index', source, '--raw', 's3://UPPER/b');
      expect(refused.code).toBe(2);
    },
    SLOW_MS,
  );
});
