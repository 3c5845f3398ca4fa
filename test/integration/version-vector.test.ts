import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACTIVITY } from '../../pipelines/activity.ts';
import { BASE } from '../../pipelines/base.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { buildVector } from '../../src/cli/compose/serving.ts';
import { createVersion } from '../../src/engine/versions/create-version.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { ANNOUNCE_MS, setPointer } from '../../src/engine/versions/projection-pointer.ts';
import { ServedProjections } from '../../src/engine/versions/served-projections.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { LogIdentity } from '../../src/log/port.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { confirmSteps, fillActivity } from '../helpers/activity-by-sql.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/*
 * Two projections, each with its own versions and positions, in one server. Each test continues from the previous one.
 */

const LAST = 60;
const NEWER_FEES = 3;
const IDENTITY: LogIdentity = {
  network: 'serve_test',
  id: 'test',
  epochSize: 40,
  lanes: 1,
  facts: { continuity: 'chain' },
};

interface Account {
  readonly address: string;
  readonly transactions: string;
  readonly messages_out: string;
  readonly fees: string;
}

/** Versions are looked for at least once in this time, ms. */
const POLLED_MS = 2_000;

interface Answer {
  readonly mc_seqno: number;
  readonly accounts: readonly Account[];
}

describeWithData('two projections', (data) => {
  let store: IndexedStore;
  let app: FastifyInstance;
  const shutdown = new Shutdown();
  const [older, newer] = [getDatabase(IDENTITY, ACTIVITY), getDatabase(IDENTITY, ACTIVITY, 2)];
  let addresses: readonly string[] = [];

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [`${data}/blocks/mainnet-genesis-0001`] });
    await prepareStore(store.client, IDENTITY, [BASE]);
    await confirmSteps(store.client, store.database, { first: 1, last: LAST, lane: 0 });
    const log = { debug() {}, info() {}, warn: store.context.log.warn, error: store.context.log.error };
    const served = await ServedProjections.start(
      { client: store.context.client, identity: IDENTITY },
      [BASE, ACTIVITY],
      { log, shutdown, signal: shutdown.signal },
    );
    app = await buildServer({
      ...store.context,
      vector: () => buildVector(served),
      freshen: (reads) => served.freshen(reads),
    });
    const { rows } = await store.client.queryRows<[string]>(
      `SELECT DISTINCT concat(toString(workchain), ':', hex(account)) FROM ${store.database}.transactions ORDER BY 1 LIMIT 50`,
      { route: 'test' },
    );
    addresses = rows.map(([address]) => address);
  });
  afterAll(async () => {
    await app?.close();
    await shutdown.close(() => {});
    await store?.close();
  });

  const ask = (parameters = '', accounts = addresses) =>
    app.inject(`/api/v3/accountActivity?address=${accounts.join(',')}${parameters}`);
  const blocks = () => app.inject('/api/v3/blocks?limit=1');

  /** Counts of accounts from the transactions up to a step. */
  async function counted(upTo: number, feeFactor = 1): Promise<readonly Account[]> {
    const { rows } = await store.client.queryRows<[string, string, string, string]>(
      `SELECT concat(toString(workchain), ':', hex(account)) AS address, toString(count()), toString(sum(out_msg_count)),
         toString(sum(total_fees) * ${feeFactor})
       FROM ${store.database}.transactions WHERE mc_seqno <= ${upTo} AND address IN ({addresses:Array(String)})
       GROUP BY workchain, account ORDER BY workchain, account`,
      { route: 'test', params: { addresses } },
    );
    return rows.map(([address, transactions, messages_out, fees]) => ({
      address,
      transactions,
      messages_out,
      fees,
    }));
  }

  const shown = ({ accounts }: Answer) =>
    accounts.map(({ address, transactions, messages_out, fees }) => ({
      address,
      transactions,
      messages_out,
      fees,
    }));

  it('one off: 501 on routes that read it, no effect on others', async () => {
    const reply = await ask();
    expect([reply.statusCode, reply.headers['retry-after'], reply.json()]).toEqual([
      501,
      undefined,
      { code: 501, error: 'the projection activity is off on this server' },
    ]);
    expect((await blocks()).headers).toMatchObject({
      'x-tonhouse-versions': 'base=1',
      'x-tonhouse-mc-range': `1-${LAST}`,
    });
    expect((await app.inject('/readyz')).body).toBe('ok');
  });

  it('one whose tables are being created: as one off', async () => {
    await store.client.command(`CREATE DATABASE ${older}`, { route: 'test' });
    await sleep(POLLED_MS);
    expect((await ask()).statusCode).toBe(501);
    expect(store.logged).toEqual([]);
  });

  it('one being built: 503 and when to come again, until all of its partitions have something', async () => {
    await prepareStore(store.client, IDENTITY, [BASE, ACTIVITY]);
    await expect.poll(async () => (await ask()).statusCode, { timeout: 60_000 }).toBe(503);
    await fillActivity(store.client, { base: store.database, activity: older, upTo: LAST });
    await confirmSteps(store.client, older, { first: 1, last: 40, lane: 0 });
    await sleep(1_000);
    const reply = await ask();
    expect([reply.statusCode, reply.headers['retry-after'], reply.json()]).toEqual([
      503,
      '2',
      { code: 503, error: 'the projection activity is being built' },
    ]);
    expect((await app.inject('/readyz/activity')).statusCode).toBe(503);
    expect((await blocks()).statusCode).toBe(200);
  });

  it('one lags: answers end where its slowest partition does, and their headers show it', async () => {
    await confirmSteps(store.client, older, { first: 1, last: 30, lane: 1 });
    await expect.poll(async () => (await ask()).statusCode, { timeout: 60_000 }).toBe(200);
    const reply = await ask();
    expect(reply.headers).toMatchObject({
      'x-tonhouse-mc-seqno': '30',
      'x-tonhouse-mc-range': '1-30',
      'x-tonhouse-versions': 'base=1, activity=1',
    });
    expect(reply.json()).toMatchObject({ mc_seqno: 30 });
    expect(shown(reply.json())).toEqual(await counted(30));
    expect((await ask('&mc_seqno=31')).statusCode).toBe(404);
    expect((await blocks()).headers['x-tonhouse-mc-range']).toBe(`1-${LAST}`);
    const { projections } = (await app.inject('/healthz')).json();
    expect(projections.activity).toMatchObject({ state: 'served', version: 1, steps_behind: LAST - 30 });
  });

  it('counts equal those of the transactions, at every step and for one account as for many', async () => {
    await confirmSteps(store.client, older, { first: 41, last: LAST, lane: 0 });
    await confirmSteps(store.client, older, { first: 31, last: LAST, lane: 1 });
    await expect
      .poll(async () => (await ask()).headers['x-tonhouse-mc-range'], { timeout: 60_000 })
      .toBe(`1-${LAST}`);
    let transactions = 0;
    for (const seqno of [1, 2, 7, 20, 45, LAST]) {
      const truth = await counted(seqno);
      transactions = truth.reduce((sum, account) => sum + Number(account.transactions), 0);
      expect(shown((await ask(`&mc_seqno=${seqno}`)).json())).toEqual(truth);
      for (const account of truth.slice(0, 3))
        expect(shown((await ask(`&mc_seqno=${seqno}`, [account.address])).json())).toEqual([account]);
    }
    expect(transactions).toBeGreaterThan(50);
  });

  it('a switch under load: each answer is of one version, and its headers name it', async () => {
    await createVersion({ client: store.client, identity: IDENTITY, projection: ACTIVITY, version: 2 });
    const fill = { base: store.database, activity: newer, upTo: LAST, feeFactor: NEWER_FEES };
    await fillActivity(store.client, fill);
    for (const lane of [0, 1]) await confirmSteps(store.client, newer, { first: 1, last: LAST, lane });
    const expected = new Map([
      ['base=1, activity=1', JSON.stringify(await counted(LAST))],
      ['base=1, activity=2', JSON.stringify(await counted(LAST, NEWER_FEES))],
    ]);
    const seen: string[] = [];
    const stop = new AbortController();
    const hammer = async () => {
      while (!stop.signal.aborted) {
        const reply = await ask();
        const versions = String(reply.headers['x-tonhouse-versions']);
        expect(reply.statusCode).toBe(200);
        expect(JSON.stringify(shown(reply.json())), versions).toBe(expected.get(versions));
        seen.push(versions);
        // Cached answers need no input or output: without a pause nothing else would run.
        await sleep(2);
      }
    };
    const hammering = Promise.all([hammer(), hammer(), hammer()]);
    hammering.catch(() => {});
    const target = { network: IDENTITY.network, projection: ACTIVITY.name, version: 2 };
    await setPointer(store.client, target, ANNOUNCE_MS);
    await sleep(ANNOUNCE_MS + 1_500);
    stop.abort();
    await hammering;
    expect(new Set(seen)).toEqual(new Set(expected.keys()));
    expect(seen.at(-1)).toBe('base=1, activity=2');
    expect(store.logged).toEqual([]);
  });
});
