/** Actions of tokens that are detected long after their transfers: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS } from '../../pipelines/projections.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import { runReplay } from '../../src/engine/replay/run.ts';
import { getDatabase } from '../../src/engine/versions/version-names.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { Shutdown } from '../../src/platform/observability/shutdown.ts';
import { actionFigures } from '../../src/projections/actions/stored/action-figures.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';
import { quietRun } from '../helpers/replay-store.ts';

/** Tables whose rows a replay makes again. */
const TABLES = ['actions', 'action_ids', 'action_accounts', 'action_steps', 'action_problems'];
const CORRECTION = /^sink\/correct\/|^sink\/recount|^actions\/corrections/;

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

  const database = (version = 1) => getDatabase(chain.api.identity, ACTIONS, version);
  const figures = () => actionFigures({ client: chain.api.client, database: database() });

  async function readTables(version: number): Promise<Record<string, string>> {
    const rows: Record<string, string> = {};
    for (const table of TABLES)
      rows[table] = await chain.api.client.queryText(
        `SELECT * FROM ${database(version)}.${table} ORDER BY ALL FORMAT JSONEachRow`,
        { route: 'test' },
      );
    return rows;
  }

  it('are calls at first, and the traces wait', async () => {
    for (const { hash, expected } of sent) {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, expected.type)).toBeUndefined();
    }
    const found = await figures();
    expect(found['waiting traces']).toBeGreaterThanOrEqual(sent.length);
    expect(found['corrected traces']).toBe(0);
  });

  it('are corrected, wherever a correction is cut off, and are the rows of a replay', async () => {
    const cutting = cuttingClient(chain.api.client);
    chain.api.detect(cutting.client);
    await expect.poll(async () => (await figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    expect(cutting.cuts).toBeGreaterThan(8);
    const found = await figures();
    expect(found['corrected traces']).toBeGreaterThanOrEqual(sent.length);
    for (const { hash, expected } of sent) {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, expected.type)).toMatchObject(expected);
      const { traces } = await chain.get('traces', { msg_hash: hash, include_actions: 'true' });
      const [trace] = traces as readonly TraceAnswer[];
      expect(findAction(trace!.actions, expected.type)).toMatchObject(expected);
    }
    const corrected = await readTables(1);
    const shutdown = new Shutdown();
    const parts = chain.api.engine(ACTIONS);
    const run = quietRun(parts, { owner: parts.owner, log: parts.log, signal: shutdown.signal });
    const { changes } = await runReplay(run, {
      range: { from: null, to: null },
      accept: async () => false,
    });
    expect(changes).toEqual([]);
    expect(await readTables(2)).toEqual(corrected);
  });
});
