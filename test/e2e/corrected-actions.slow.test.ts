/** Actions of tokens that are detected long after their transfers: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS, LAKE } from '../../pipelines/projections.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { TableProjection } from '../../src/engine/projection/projection.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';
import { quietRun } from '../helpers/replay-store.ts';

/** Tables whose rows a replay makes again, by projection. */
const TABLES = new Map([
  [ACTIONS, ['actions', 'action_ids', 'action_accounts', 'action_steps', 'action_problems']],
  [LAKE, ['nft_events', 'trades', 'mints', 'step_rows']],
]);
/** A server keeps an answer for a minute while the head does not move. */
const CACHED = { timeout: 120_000, interval: 500 };
const CORRECTION = /^sink\/correct\/|^sink\/recount|^corrections\//;

/** A client whose nth write of a correction fails, before it is sent or after it is done; n grows with each failure. */
function cuttingClient(client: StoreClient): { readonly client: StoreClient; readonly cuts: number } {
  const state = { cuts: 0, writes: 0 };
  const cut = async (route: string, write: () => Promise<void>) => {
    const isCut = CORRECTION.test(route) && ++state.writes > state.cuts;
    if (!isCut) return write();
    if (state.cuts % 2 === 1) await write();
    Object.assign(state, { cuts: state.cuts + 1, writes: 0 });
    throw new Error('cut off');
  };
  return {
    client: {
      ...client,
      command: (sql, options) => cut(options.route, () => client.command(sql, options)),
      insertNative: (table, bytes, options) =>
        cut(options.route, () => client.insertNative(table, bytes, options)),
    },
    get cuts() {
      return state.cuts;
    },
  };
}

describe('tokens that are detected after their transfers', { timeout: 900_000 }, () => {
  let chain: CustomTokenChain;
  /** Hashes of messages, each with the action that it should have. */
  const sent: { readonly hash: string; readonly expected: Partial<ActionAnswer> & { type: string } }[] = [];

  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts', 'actions'] });
    for (const [place, one] of chain.jettonCases.entries()) {
      const to = account(0x80 + place);
      const hash = await chain.send(one.jetton.transfer(one.requested, { to }));
      sent.push({ hash, expected: chain.jettonAction(one, to) });
      await chain.mine(8);
    }
    for (const handover of [
      { to: account(0x90), queryId: REFUSED },
      { to: account(0x90), queryId: 8n },
    ]) {
      const hash = await chain.send(chain.nfts.transfer(handover));
      sent.push({ hash, expected: chain.nftAction(handover, handover.queryId !== REFUSED) });
      await chain.mine(8);
    }
  }, 900_000);
  afterAll(() => chain?.api.close());

  const database = (projection: TableProjection, version = 1) =>
    getDatabase(chain.api.identity, projection, version);
  const figures = () => actionFigures({ client: chain.api.client, database: database(ACTIONS) });

  async function readTables(projection: TableProjection, version: number): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for (const table of TABLES.get(projection)!)
      rows[table] = await chain.api.client.queryText(
        `SELECT * FROM ${database(projection, version)}.${table} ORDER BY ALL FORMAT JSONEachRow`,
        { route: 'test' },
      );
    return rows;
  }

  async function readLast(projection: TableProjection): Promise<number> {
    const { rows } = await chain.api.client.queryRows<[number]>(
      `SELECT max(last) FROM ${database(projection)}.confirmed`,
      { route: 'test' },
    );
    return rows[0]![0];
  }

  /** Events of the item in the lake. */
  async function readEvents(): Promise<readonly string[]> {
    const { workchain, address } = chain.nfts.item;
    const { rows } = await chain.api.client.queryRows<[string]>(
      `SELECT type FROM ${database(LAKE)}.nft_events WHERE item = '${formatRaw(workchain, address)}'`,
      { route: 'test' },
    );
    return rows.map(([type]) => type);
  }

  /** Corrections that are done: of actions, and of rows of the lake after them. */
  async function readDone(): Promise<{ readonly actions: number; readonly lake: number }> {
    const done = (projection: TableProjection, states: string) =>
      `(SELECT uniqExact(mc_seqno, trace_id, account, workchain) FROM ${database(projection)}.corrections WHERE state IN (${states}))`;
    const { rows } = await chain.api.client.queryRows<[number, number]>(
      `SELECT toUInt32(${done(ACTIONS, '2')}), toUInt32(${done(LAKE, '1, 2')})`,
      { route: 'test' },
    );
    const [[actions, lake] = [-1, -1]] = rows;
    return { actions, lake };
  }

  /** Replays a projection and expects the rows of its first version again. */
  async function expectReplayed(projection: TableProjection): Promise<void> {
    const before = await readTables(projection, 1);
    const shutdown = new Shutdown();
    const parts = chain.api.engine(projection);
    const run = quietRun(parts, { owner: parts.owner, log: parts.log, signal: shutdown.signal });
    const { changes } = await runReplay(run, {
      range: { from: null, to: null },
      accept: async () => false,
    });
    expect(changes).toEqual([]);
    expect(await readTables(projection, 2)).toEqual(before);
  }

  it('are calls at first, and the traces wait', async () => {
    for (const { hash, expected } of sent) {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, expected.type)).toBeUndefined();
    }
    const found = await figures();
    expect(found['waiting traces']).toBeGreaterThanOrEqual(sent.length);
    expect(found['corrected traces']).toBe(0);
    // The rows of the lake are made of the actions as they are now.
    await expect.poll(() => readLast(LAKE), { timeout: 300_000 }).toBe(await readLast(ACTIONS));
    expect(await readEvents()).toEqual([]);
  });

  it('are corrected, wherever a correction is cut off, and are the rows of a replay', async () => {
    const cutting = cuttingClient(chain.api.client);
    chain.api.detect(cutting.client);
    await expect.poll(async () => (await figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    expect(cutting.cuts).toBeGreaterThan(8);
    const found = await figures();
    expect(found['corrected traces']).toBeGreaterThanOrEqual(sent.length);
    for (const { hash, expected } of sent) {
      const inActions = async () => {
        const { actions } = await chain.get('actions', { msg_hash: hash });
        return findAction(actions, expected.type);
      };
      const inTraces = async () => {
        const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
        const [trace] = traces as readonly TraceAnswer[];
        return findAction(trace!.actions, expected.type);
      };
      await expect.poll(inActions, CACHED).toMatchObject(expected);
      await expect.poll(inTraces, CACHED).toMatchObject(expected);
    }
    await expect.poll(readEvents, { timeout: 300_000 }).toContain('transfer');
    await expect
      .poll(async () => (await readDone()).lake, { timeout: 300_000 })
      .toBe((await readDone()).actions);
    for (const projection of TABLES.keys()) await expectReplayed(projection);
  });
});
