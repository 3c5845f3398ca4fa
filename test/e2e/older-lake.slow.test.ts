/** The tables of trades of an index that an earlier release made: they are served, and built again by `replay lake`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAKE } from '../../pipelines/projections.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { checkOut, commitBefore, type OlderRelease } from '../helpers/older-release.ts';
import { type RunningMain, startMain } from '../helpers/run-main.ts';

/** The last release without launchpads: its rows are version 2 of the projection. */
const OLDER = 2;
const COMMIT = commitBefore(`-Sversion: ${OLDER + 1},`, '--', 'src/tables/lake/trades.ts');
const SLOW_MS = 1_800_000;
const WAITED = { timeout: 400_000, interval: 1_000 };
/** Tables whose rows the projection keeps, or that follow from them. */
const TABLES = ['dex_trades', 'dex_pools', 'prices_daily', 'nft_events', 'dex_volume_daily'];
/** Tables with mints, which are rows of `contracts`. */
const MINTS = ['jetton_events', 'jettons_daily'];

describe.skipIf(COMMIT === null)(
  `a lake of an earlier release${COMMIT ? '' : ' (not in the history)'}`,
  () => {
    const root = mkdtempSync(join(tmpdir(), 'tonhouse-older-lake-'));
    const packs = join(root, 'packs');
    const running: RunningMain[] = [];
    let older: OlderRelease;

    beforeAll(async () => {
      older = checkOut(COMMIT as string);
      await generatePacks({ directory: packs, transactions: 600, seed: 'lake', shards: 1, perStep: 30 });
    }, SLOW_MS);
    afterAll(async () => {
      // The first one runs the store for all others.
      for (const { child, ended } of running.reverse()) {
        child.kill('SIGTERM');
        await ended;
      }
      older?.remove();
      rmSync(root, { recursive: true, force: true });
    }, SLOW_MS);

    const run = async (args: readonly string[], main?: string) => {
      const { ended, text } = startMain(args, {}, main);
      expect(await ended, text.stderr).toBe(0);
      return text.stdout;
    };
    const index = (data: string, main?: string) =>
      run(
        [
          ...['index', `archive:${packs}`, '--data', data, '--network', 'localnet', '--epoch-size', '40'],
          ...ZEROSTATE_FILES.flatMap((name) => ['--state', join(packs, name)]),
        ],
        main,
      );
    /** Address of the SQL of a server over a data directory. */
    const serve = async (data: string) => {
      const ports = ['--port', '0', '--sql-port', '0', '--log-format', 'json'];
      const server = startMain(['serve', '--data', data, ...ports]);
      running.push(server);
      for (;;) {
        const [, url] = /"sql":"(http:[^"]+)"/.exec(server.text.stdout + server.text.stderr) ?? [];
        if (url) return url;
        if (server.child.exitCode !== null) throw new Error(server.text.stderr);
        await sleep(50);
      }
    };
    const ask = async (url: string, statement: string) => {
      const answer = await fetch(url, { method: 'POST', body: `${statement} FORMAT JSONEachRow` });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text.trim().split('\n');
    };
    const readTables = async (url: string, tables = TABLES) => {
      const rows: Record<string, readonly string[]> = {};
      for (const table of tables) rows[table] = await ask(url, `SELECT * FROM ton.${table} ORDER BY ALL`);
      return rows;
    };

    it(
      'is served, and replayed to the rows of an index that this release made',
      async () => {
        const [data, fresh] = [join(root, 'data'), join(root, 'fresh')];
        await index(data, older.main);
        await index(fresh);
        const freshUrl = await serve(fresh);
        const expected = await readTables(freshUrl);
        for (const table of TABLES) expect(expected[table]!.length, table).toBeGreaterThan(1);
        const withMints = await readTables(freshUrl, MINTS);
        expect(withMints.jetton_events!.filter((row) => row.includes('"type":"mint"'))).not.toEqual([]);

        const url = await serve(data);
        expect(await run(['status', '--data', data])).toMatch(
          new RegExp(`lake +version 1, built by decoder ${OLDER}`),
        );
        // The older release does not know the code of the local jetton: traces are corrected after get methods ran.
        await expect.poll(() => readTables(url), WAITED).toEqual(expected);
        expect(await run(['replay', 'lake', '--yes', '--data', data])).toContain('version 2 is served');
        await expect.poll(() => readTables(url), WAITED).toEqual(expected);
        expect(await run(['status', '--data', data])).toMatch(
          new RegExp(`lake +version 2, built by decoder ${LAKE.version}`),
        );
        // That release has no sums of jettons.
        const withoutMints = withMints.jetton_events!.filter((row) => !row.includes('"type":"mint"'));
        await expect
          .poll(async () => (await readTables(url, ['jetton_events'])).jetton_events, WAITED)
          .toEqual(withoutMints);
        expect(await run(['replay', 'contracts', '--yes', '--data', data])).toContain('version 2 is served');
        await expect.poll(() => readTables(url, MINTS), WAITED).toEqual(withMints);
        expect(await run(['verify', '--data', data])).toContain('0 problems');
      },
      SLOW_MS,
    );
  },
);
