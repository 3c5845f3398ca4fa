/** Actions of tokens that are detected long after their transfers: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACTIONS, LAKE } from '../../pipelines/projections.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { CorrectedTables } from '../helpers/corrected-tables.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';

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
  let tables: CorrectedTables;
  /** Hashes of messages, each with the action that it should have. */
  const sent: { readonly hash: string; readonly expected: Partial<ActionAnswer> & { type: string } }[] = [];

  beforeAll(async () => {
    chain = await CustomTokenChain.open({ awaited: ['contracts', 'actions'] });
    tables = new CorrectedTables(chain.api);
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

  /** Events of the item in the lake. */
  async function readEvents(): Promise<readonly string[]> {
    const { workchain, address } = chain.nfts.item;
    const { rows } = await chain.api.client.queryRows<[string]>(
      `SELECT type FROM ${tables.database(LAKE)}.nft_events WHERE item = '${formatRaw(workchain, address)}'`,
      { route: 'test' },
    );
    return rows.map(([type]) => type);
  }

  it('are calls at first, and the traces wait', async () => {
    for (const { hash, expected } of sent) {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      expect(findAction(actions, expected.type)).toBeUndefined();
    }
    const found = await tables.figures();
    expect(found['waiting traces']).toBeGreaterThanOrEqual(sent.length);
    expect(found['corrected traces']).toBe(0);
    // The rows of the lake are made of the actions as they are now.
    await expect.poll(() => tables.readLast(LAKE), { timeout: 300_000 }).toBe(await tables.readLast(ACTIONS));
    expect(await readEvents()).toEqual([]);
  });

  it('are corrected, wherever a correction is cut off, and are the rows of a replay', async () => {
    const cutting = cuttingClient(chain.api.client);
    chain.api.detect(cutting.client);
    await expect.poll(async () => (await tables.figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    expect(cutting.cuts).toBeGreaterThan(8);
    const found = await tables.figures();
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
      .poll(async () => (await tables.readDone()).lake, { timeout: 300_000 })
      .toBe((await tables.readDone()).actions);
    await tables.expectReplayed();
  });
});
