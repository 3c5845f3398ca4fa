import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cellsOfBlocks } from '../helpers/block-answers.ts';
import { dataCommands } from '../helpers/data-commands.ts';
import { type S3Server, s3Program, startS3Server } from '../helpers/s3-server.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

const SLOW_MS = 1_200_000;

/** v2 answers with cells of raw blocks. */
const blocks = (url: string) => cellsOfBlocks(url, 20);

describeWithChain('an embedded store with a cold bucket', ({ source }) => {
  let folder: string;
  let s3: S3Server | null = null;
  let writes = 0;

  const place = () => `s3://${s3?.bucket}/cold`;
  const onCold = (after: string) => ['--cold', place(), '--cold-after', after];
  const { run, answer, served } = dataCommands(
    () => join(folder, 'data'),
    () => ({ TONHOUSE_CLICKHOUSE_MEMORY_MB: '2048', ...s3?.environment }),
  );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-bucket-'));
    const program = await s3Program(join(folder, 'python'));
    s3 = program === null ? null : await startS3Server(program);
    if (!s3) return;
    s3.onRequest = ({ method }) => {
      if (method === 'PUT' || method === 'POST') writes += 1;
    };
  }, SLOW_MS);
  afterAll(async () => {
    await s3?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'moves old parts to the bucket and back, and keeps the login private',
    async ({ skip }) => {
      if (!s3) return skip('no S3 server: Python and moto are not here');
      // Tables of all projections move to a cold folder in cold-volume.slow.test.ts.
      const index = ['index', source, '--epoch-size', '20', '--keep-log', '--projections', 'base'];
      const indexed = await run(...index, ...onCold('never'));
      expect(indexed.code, indexed.stderr).toBe(0);
      const before = await served(onCold('never'), blocks);
      const since = writes;
      expect((await run(...index, ...onCold('1s'))).code).toBe(0);
      expect(writes).toBeGreaterThan(since);
      await served(onCold('1s'), async (url) => {
        const { volumes, tables } = await answer('status', ...onCold('1s'));
        expect(volumes.cold_bytes).toBeGreaterThan(0);
        const raw = tables.find(({ table }: { table: string }) => table === 'raw_blocks');
        expect(raw.cold_bytes).toBeGreaterThan(0);
        expect(await blocks(url)).toEqual(before);
        expect(await answer('verify', ...onCold('1s'))).toMatchObject({ problems: 0 });
      });

      const refused = await run('status');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(`Give --cold ${place()}`);
      const { AWS_SECRET_ACCESS_KEY: secret = '' } = s3.environment;
      const open = allFiles(join(folder, 'data')).filter((file) => (statSync(file).mode & 0o77) !== 0);
      for (const file of [...open, ...allFiles(join(folder, 'data/clickhouse/log'))])
        expect(readFileSync(file).includes(secret), file).toBe(false);

      expect((await run(...index, ...onCold('never'))).code).toBe(0);
      // Parts that others replaced may still be in the bucket, so the place is given.
      await served(onCold('never'), async (url) => {
        expect((await answer('status', ...onCold('never'))).volumes).toMatchObject({ cold_bytes: 0 });
        expect(await blocks(url)).toEqual(before);
      });
    },
    SLOW_MS,
  );
});

function allFiles(parent: string): string[] {
  return readdirSync(parent, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
}
