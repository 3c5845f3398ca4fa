import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';

/*
 * The table of newest states has only one state of a token. If that is above the visible range, and ends the token, the
 * token is listed with its state in the range.
 */

const VISIBLE = { first: 1, last: 100 };
const MASTERS = 5;
const OWNER = "SHA256('owner')";
const state = (step: number, isGone: boolean, numbers: string) =>
  `land_token_states (mc_seqno, account, lt, kind, is_gone, is_first, is_owner_new, since, amount, has_owner, owner)
   SELECT ${step}, SHA256(toString(number)), ${step} * 1000 + number, 'jetton_master', ${isGone}, ${step === 1}, ${step === 1}, 1 + number, ${step}, true, ${OWNER} FROM ${numbers}`;

describe('tokens that end above the visible range', { timeout: 120_000 }, () => {
  let store: IndexedStore;
  let app: FastifyInstance;
  let owner: string;
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [],
      visible: VISIBLE,
      contracts: true,
      settings: { responseCacheMb: 0 },
    });
    // Nothing else is above the range: the list would be read from the history for that.
    const fills = [state(1, false, `numbers(${MASTERS})`), state(101, true, 'numbers(1, 1)')];
    for (const fill of fills)
      await store.client.command(`INSERT INTO ${store.contracts}.${fill}`, { route: 'test' });
    const merge = `OPTIMIZE TABLE ${store.contracts}.tokens_latest FINAL`;
    await store.client.command(merge, { route: 'test' });
    const { rows } = await store.client.queryRows<[string]>(`SELECT hex(${OWNER})`, { route: 'test' });
    owner = `0:${rows[0]![0]}`;
    app = await buildServer(store.context);
  });
  afterAll(async () => {
    await app?.close();
    await store?.close();
  });

  it.each([
    ['all', () => '', MASTERS],
    ['a page of all', () => '&offset=3', MASTERS - 3],
    ['of an owner', () => `&admin_address=${owner}`, MASTERS],
  ])('are listed as they are in it: %s', async (_, filter, count) => {
    const reply = await app.inject(`/api/v3/jetton/masters?limit=10${filter()}`);
    expect(reply.statusCode).toBe(200);
    const { jetton_masters: masters } = reply.json<{ jetton_masters: { total_supply: string }[] }>();
    expect(masters.map(({ total_supply }) => total_supply)).toEqual(Array.from({ length: count }, () => '1'));
  });
});
