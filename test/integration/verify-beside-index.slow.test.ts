import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { HeadFollower } from '../../src/engine/replay/head.ts';
import { openSteps } from '../../src/engine/verify/open-steps.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import { readVisible } from '../../src/engine/watermark/visible-span.ts';
import { readIndexFacts } from '../../src/projections/base/verify/index-facts.ts';
import { TRANSACTION_CHECKS } from '../../src/projections/base/verify/transaction-checks.ts';
import { runVerify, type VerifyOptions } from '../../src/projections/base/verify/verify-stage.ts';
import { startTestServer, type TestServer } from '../helpers/clickhouse-server.ts';
import { appendSteps } from '../helpers/copy-log.ts';
import { NEWER_CODE, openReplayStore, REPLAY_SETTINGS, type ReplayStore } from '../helpers/replay-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/** A few seconds on a quiet machine. */
/** Nothing of these logs is unreadable. */
const fail = (error: Error) => {
  throw error;
};
const SLOW_MS = 600_000;
/** Of the steps that arrive while it is written. */
const HALF_OF_REST = 19;

describeWithData('verify while an index is written', (data) => {
  let server: TestServer;
  let store: ReplayStore;
  let database: string;

  beforeAll(async () => {
    server = await startTestServer();
    store = await openReplayStore({
      client: server.client,
      source: `archive:${data}/blocks/packs`,
      epochSize: 9,
      lanes: 3,
      code: NEWER_CODE,
      steps: 60,
    });
    database = getDatabase(store.identity, BASE);
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  /** Problems that one run finds; null where nothing is visible yet. */
  async function problems(options: Partial<VerifyOptions> = {}): Promise<string[] | null> {
    const { client } = server;
    const visible = await readVisible(client, database, 'chain');
    if (!visible) return null;
    const results = await runVerify({
      client,
      database,
      visible,
      readRange: () => readVisible(client, database, 'chain'),
      open: () => openSteps(store.parts, 1, fail),
      facts: await readIndexFacts(client, database, store.identity),
      onProgress() {},
      signal: new AbortController().signal,
      ...options,
    });
    return results.filter((one) => one.problems > 0).map(({ name, samples }) => `${name}: ${samples.join()}`);
  }

  it(
    'never finds what is only on its way, while lanes fill side by side and at the head',
    async () => {
      const settings = { ...REPLAY_SETTINGS, batchRows: 1 };
      const { signal } = store.session('head');
      const head = await HeadFollower.start({ ...store.parts, owner: 'head' }, 1, settings, signal);
      let runs = 0;
      let appended = 0;
      // However slow a run is, half of the steps come after the first one.
      const pause = async () => {
        await sleep(50);
        const isHalf = ++appended === HALF_OF_REST;
        for (let looks = 0; isHalf && runs === 0 && looks < 2_000; looks++) await sleep(50);
      };
      const written = (async () => {
        await head.catchUp(signal);
        await appendSteps(store.parts.bus, store.rest, 1, pause);
        await head.catchUp(signal);
      })();
      const state = { isOver: false };
      const ending = written.finally(() => {
        state.isOver = true;
      });
      ending.catch(() => {});
      while (!state.isOver) {
        const found = await problems();
        if (found === null) continue;
        expect(found).toEqual([]);
        runs++;
      }
      await ending;
      await head.close();
      expect(runs).toBeGreaterThan(1);
      expect(await readVisible(server.client, database, 'chain')).toEqual({ first: 1, last: 99 });
    },
    SLOW_MS,
  );

  it(
    'accepts lanes that were empty when it began, and fill below the confirmed range',
    async () => {
      const { client } = server;
      const command = (sql: string) =>
        client.command(sql, { route: 'test', settings: { lightweight_deletes_sync: 2 } });
      const table = `${database}.account_transactions`;
      const facts = await readIndexFacts(client, database, store.identity);
      const confirmed = { first: 18, last: 99 };
      await command(
        `CREATE TABLE ${database}.kept ENGINE = Memory AS SELECT * FROM ${table} WHERE mc_seqno = 12`,
      );
      await command(`DELETE FROM ${table} WHERE mc_seqno = 12`);
      const checks = TRANSACTION_CHECKS.filter(({ name }) => name === 'account-chains');
      expect(await problems({ checks })).toHaveLength(1);
      const begun = { checks, visible: confirmed, readRange: async () => confirmed };
      expect(await problems({ ...begun, facts: { ...facts, firstStep: confirmed.first } })).toEqual([]);
      await command(`INSERT INTO ${table} SELECT * FROM ${database}.kept`);
      await command(`DROP TABLE ${database}.kept`);
    },
    SLOW_MS,
  );

  it(
    'finds what is wrong in the merged tables all the same',
    async () => {
      const { client } = server;
      const command = (sql: string) =>
        client.command(sql, { route: 'test', settings: { lightweight_deletes_sync: 2 } });
      expect(await problems()).toEqual([]);
      await command(
        `INSERT INTO ${database}.balances_ranked SELECT balance + 1, account, workchain, lt, 1
         FROM ${database}.account_states WHERE balance > 0 ORDER BY account LIMIT 1`,
      );
      await command(
        `DELETE FROM ${database}.accounts_latest WHERE account = (SELECT max(account) FROM ${database}.account_states)`,
      );
      await command(
        `INSERT INTO ${database}.account_codes SELECT account8, account, workchain, lt + 1, newest
         FROM ${database}.account_codes ORDER BY account, lt DESC LIMIT 1`,
      );
      const names = (await problems())?.map((text) => text.split(':')[0]);
      expect(names).toEqual(['latest-accounts', 'account-codes', 'ranked-balances']);
    },
    SLOW_MS,
  );
});
