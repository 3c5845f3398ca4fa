/** Actions of tokens that are detected long after their transfers: a correction classifies the traces again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS, LAKE } from '../../pipelines/projections.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import type { ActionAnswer } from '../../src/api/v3/schemas/action.ts';
import type { TraceAnswer } from '../../src/api/v3/schemas/trace.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { formatRaw } from '../../src/ton/address/address.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { REFUSED } from '../helpers/changed-contracts.ts';
import { CorrectedTables } from '../helpers/corrected-tables.ts';
import { account, CustomTokenChain, findAction } from '../helpers/custom-token-chain.ts';
import { readAnswers, startUncached, tokenPaths } from '../helpers/token-answers.ts';

/** A server keeps an answer for a minute while the head does not move. */
const CACHED = { timeout: 120_000, interval: 500 };
const CORRECTION = /^sink\/correct\/|^sink\/recount|^corrections\//;

const raw = ({ workchain, address }: AccountAddress) => formatRaw(workchain, address);

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

  it('are corrected, wherever a correction is cut off', async () => {
    const cutting = cuttingClient(chain.api.client);
    const begun = await tables.now();
    chain.api.detect(cutting.client);
    await expect.poll(async () => (await tables.figures())['waiting traces'], { timeout: 800_000 }).toBe(0);
    expect(cutting.cuts).toBeGreaterThan(8);
    const found = await tables.figures();
    expect(found['corrected traces']).toBeGreaterThanOrEqual(sent.length);
    // Look-up indexes read their rows again.
    expect(await tables.readUnconfirmed(begun)).toEqual([]);
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
  });

  it('are equal rows after a replay of each projection, and answers stay byte-equal through the switches', async () => {
    const { context } = chain.api;
    const api = await startUncached(context);
    const paths = tokenPaths({
      owners: [chain.owner, raw(account(0x80)), raw(account(0x90))],
      masters: [...new Set(chain.jettonCases.map(({ jetton }) => raw(jetton.minter.address)))],
      collections: [raw(chain.nfts.collection.address)],
    });
    try {
      const before = await readAnswers(api.url, paths);
      for (const [path, answer] of before) expect(answer, path).toMatch(/^200 /);
      const replays = tables.serveReplayed();
      let isOver = false;
      let rounds = 0;
      void replays.finally(() => (isOver = true)).catch(() => {});
      for (; !isOver || rounds === 0; rounds++)
        for (const [path, answer] of await readAnswers(api.url, paths))
          expect(answer, path).toBe(before.get(path));
      await replays;
      expect(rounds).toBeGreaterThan(1);
      const served = () => [CONTRACTS, DETECTIONS, ACTIONS].map(({ name }) => databaseOf(context, name));
      const next = [CONTRACTS, DETECTIONS, ACTIONS].map((projection) => tables.database(projection, 2));
      await expect.poll(served, CACHED).toEqual(next);
      for (const [path, answer] of await readAnswers(api.url, paths))
        expect(answer, path).toBe(before.get(path));
    } finally {
      await api.close();
    }
  });

  it('are recognised at the head of the replayed versions', async () => {
    const [one] = chain.jettonCases;
    const to = account(0x70);
    const hash = await chain.send(one!.jetton.transfer(one!.requested, { to }));
    await chain.mine(8);
    const expected = chain.jettonAction(one!, to);
    const inActions = async () => {
      const { actions } = await chain.get('actions', { msg_hash: hash });
      return findAction(actions, expected.type);
    };
    await expect.poll(inActions, CACHED).toMatchObject(expected);
  });
});

/** Database of the served version of a projection; null if none is served. */
function databaseOf({ vector }: ServeContext, name: string): string | null {
  const view = vector()[name as keyof ReturnType<ServeContext['vector']>];
  return view.state === 'served' ? view.database : null;
}
