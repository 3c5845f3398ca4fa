import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS } from '../../pipelines/projections.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { emptyServer, startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { storeEnvironment } from '../helpers/data-commands.ts';
import { startMain } from '../helpers/run-main.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import { versionPicture } from '../helpers/version-picture.ts';

const SLOW_MS = 1_800_000;
const SHAPE = ['--epoch-size', '10', '--batch-rows', '200'];

describeWithChain('indexes of ranges', ({ source, isMainnet }) => {
  let folder: string;
  let server: TestServer;
  let truth: unknown;
  let startLt: string;
  const databases = PROJECTIONS.map((projection) =>
    getDatabase({ network: isMainnet ? 'mainnet' : 'localnet' }, projection),
  );
  const base = databases[0] ?? '';
  const at = (directory: string) => join(folder, directory);

  /** On the test's server; ranges have stores of their own. */
  const start = (args: readonly string[], isRange = false) =>
    startMain(args, {
      TONHOUSE_LOG_LEVEL: 'error',
      ...(!isRange && storeEnvironment(server)),
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
  const range = (directory: string, ...args: readonly string[]) =>
    answer(['index', source, '--data', at(directory), '--projections', 'base', ...SHAPE, ...args], true);

  async function picture(): Promise<unknown> {
    return Promise.all(databases.map((database) => versionPicture(server.client, database)));
  }
  async function confirmedSteps(): Promise<number> {
    const { rows } = await server.client.queryRows<[string]>(`SELECT max(last) FROM ${base}.confirmed`, {
      route: 'test',
    });
    return Number(rows[0]?.[0]);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-join-'));
    server = await startTestServer();
    await answer(['index', source, '--data', at('truth'), ...SHAPE]);
    truth = await picture();
    startLt = JSON.parse(await answer(['status', '--data', at('truth'), '--json'])).start_lt;
    await emptyServer(server);
    await answer(['index', source, '--data', at('first'), '--to', '33', ...SHAPE]);
    await range('second', '--from', '34', '--to', '65', '--start-lt', startLt);
    await range('third', '--from', '66', '--start-lt', startLt);
  }, SLOW_MS);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    'are refused if they leave a gap, overlap or have another start',
    async () => {
      const joined = (...directories: readonly string[]) =>
        run(['join', ...directories.map(at), '--data', at('first')]);
      const gap = await joined('third');
      expect(gap.code).toBe(1);
      expect(gap.stderr).toContain('it begins at 66, and this index ends at 33');
      await range('other-start', '--from', '34', '--to', '40');
      expect((await joined('other-start')).stderr).toContain(`make the range with --start-lt ${startLt}`);
      await range('overlap', '--from', '30', '--to', '40', '--start-lt', startLt);
      expect((await joined('overlap')).stderr).toMatch(/30 to 40 overlap with masterchain blocks 1 to 33/);
      expect(await confirmedSteps()).toBe(33);
    },
    SLOW_MS,
  );

  it(
    'are joined into the rows of one index, also after kill -9, and verify proves them',
    async () => {
      const args = ['join', at('third'), at('second'), '--data', at('first')];
      const killed = start(args);
      while ((await confirmedSteps()) === 33) {
        if (killed.child.exitCode !== null) throw new Error(killed.text.stderr);
        await setTimeout(5);
      }
      killed.child.kill('SIGKILL');
      await killed.ended;
      const { joined } = JSON.parse(await answer(args));
      expect(joined.map(({ first }: { first: number }) => first)).toEqual([34, 66]);
      expect(await picture()).toEqual(truth);
      expect(JSON.parse(await answer(['verify', '--data', at('first'), '--json'])).problems).toBe(0);

      // The log continues after the joined steps, and a second join has nothing to do.
      await answer(['index', source, '--data', at('first')]);
      const again = JSON.parse(await answer(args));
      expect(again.joined.map(({ state }: { state: string }) => state)).toEqual(['present', 'present']);
      expect(await picture()).toEqual(truth);
    },
    SLOW_MS,
  );
});
