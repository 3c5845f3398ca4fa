import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { checkOut, commitBefore, type OlderRelease } from '../helpers/older-release.ts';
import { type RunningMain, startMain } from '../helpers/run-main.ts';
import { describeWithData } from '../helpers/shared-data.ts';

const ASKED = [
  '/api/v3/transactions?limit=60&sort=asc&end_lt=2000000',
  '/api/v3/transactions?account=-1:34517C7BDF5187C55AF4F8B61FDC321588C7AB768DEE24B006DF29106458D7CF&limit=20&sort=asc&end_lt=2000000',
  '/api/v3/messages?limit=40&sort=asc&start_lt=1000002&end_lt=2000000',
  '/api/v3/accountStates?address=-1:34517C7BDF5187C55AF4F8B61FDC321588C7AB768DEE24B006DF29106458D7CF',
  '/api/v2/getBlockTransactionsExt?workchain=-1&shard=-9223372036854775808&seqno=12',
] as const;

/** The release with the tables before; null if the history does not have it. */
const RELEASES: readonly [string, string | null][] = [
  ['the last one with other tables', commitBefore(`-Sversion: ${BASE.version},`, '--', 'pipelines/base.ts')],
];

const SLOW_MS = 600_000;

/** Fields that v3 answers fill since these releases: of bodies, address books and accounts. */
const LATER = new Set(['decoded', 'decoded_opcode', 'interfaces', 'domain', 'suspended']);

/** An answer as JSON without what was added later; keys in the order of the answer. */
function withoutLater(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value) => (LATER.has(key) ? undefined : value));
}

describeWithData('a data directory of an earlier release', (data) => {
  for (const [name, commit] of RELEASES) {
    describe.skipIf(commit === null)(`${name}${commit ? '' : ' (not in the history)'}`, () => {
      const directory = mkdtempSync(join(tmpdir(), 'tonhouse-older-'));
      const running: RunningMain[] = [];
      let older: OlderRelease;

      beforeAll(() => {
        older = checkOut(commit as string);
      }, SLOW_MS);
      afterAll(async () => {
        // The first one runs the store for all others.
        for (const { child, ended } of running.reverse()) {
          child.kill('SIGTERM');
          await ended;
        }
        older?.remove();
        rmSync(directory, { recursive: true, force: true });
      }, SLOW_MS);

      const run = async (args: readonly string[], main?: string) => {
        const process = startMain([...args, '--data', directory], {}, main);
        expect(await process.ended, process.text.stderr).toBe(0);
        return process.text.stdout;
      };
      const serve = async (main?: string) => {
        const process = startMain(['serve', '--data', directory, '--port', '0'], {}, main);
        running.push(process);
        for (;;) {
          const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(process.text.stderr) ?? [];
          if (url) return url;
          if (process.child.exitCode !== null) throw new Error(process.text.stderr);
          await sleep(50);
        }
      };
      const ask = async (url: string, path: string) => {
        const answer = await fetch(`${url}${path}`);
        // Each answer of v2 has its time and server.
        const text = (await answer.text()).replace(/,"@extra":"[^"]*"\}$/, '}');
        return { status: answer.status, text: path.startsWith('/api/v3/') ? withoutLater(text) : text };
      };

      it(
        'is read by both while this one builds the next version, and by this one under load afterwards',
        async () => {
          await run(['index', `archive:${data}/blocks/packs`, '--epoch-size', '40'], older.main);
          const beside = await serve(older.main);
          const url = await serve();
          const first = await Promise.all(ASKED.map((path) => ask(beside, path)));
          expect(first.map(({ status, text }) => [status, text.length > 500])).toEqual(
            ASKED.map(() => [200, true]),
          );

          const wrong: unknown[] = [];
          const refused = new Set<number>();
          const stop = new AbortController();
          const hammer = async () => {
            for (let i = 0; !stop.signal.aborted; i = (i + 1) % ASKED.length) {
              const path = ASKED[i] as string;
              const [mine, theirs] = await Promise.all([ask(url, path), ask(beside, path)]);
              if (mine.status !== 200 || mine.text !== first[i]?.text) wrong.push({ path, ...mine });
              // The other release may refuse the next version, and never gives wrong answers.
              if (theirs.status >= 500) refused.add(theirs.status);
              else if (theirs.text !== first[i]?.text) wrong.push({ path, beside: theirs });
            }
          };
          const hammering = Promise.all([hammer(), hammer()]);
          const told = await run(['replay', 'base', '--yes']);
          expect(told).toContain('version 2 is served');
          await sleep(3_000);
          stop.abort();
          await hammering;
          expect(wrong.slice(0, 3)).toEqual([]);
          expect((await run(['status'])).replaceAll(/ +/g, ' ')).toContain(
            `base version 2, built by decoder ${BASE.version}; this is decoder ${BASE.version}`,
          );
          expect(await run(['verify'])).toContain('0 problems');
        },
        SLOW_MS,
      );

      it(
        'is gone back to',
        async () => {
          await run(['replay', 'rollback']);
          const url = await serve();
          expect((await ask(url, ASKED[0])).status).toBe(200);
          expect(await run(['verify'])).toContain('0 problems');
        },
        SLOW_MS,
      );
    });
  }
});
