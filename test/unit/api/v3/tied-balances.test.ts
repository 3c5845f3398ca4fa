import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import type { TopAccountsAnswer } from '../../../../src/api/v3/schemas/account.ts';
import { type IndexedStore, openIndexedStore } from '../../../helpers/indexed-store.ts';

/** More accounts of one balance than a page reads of the ranking. */
const TIED = 9_000;
const RICHER = 10;
const LIMIT = 1_000;

let store: IndexedStore;
let app: FastifyInstance;
beforeAll(async () => {
  store = await openIndexedStore({ folders: [], visible: { first: 1, last: 1 } });
  await store.client.command(
    `INSERT INTO ${store.database}.land_account_states (mc_seqno, account, lt, status, balance, origin)
     SELECT 1, SHA256(toString(number)), 1000 + number, 'active', if(number < ${RICHER}, 600, 500), 'block' FROM numbers(${TIED + RICHER})`,
    { route: 'test' },
  );
  app = await buildServer(store.context);
}, 120_000);
afterAll(async () => {
  await app?.close();
  await store?.close();
});

it('accounts of one balance have one order on every page', async () => {
  const pages: TopAccountsAnswer[] = [];
  for (let offset = 0; offset < TIED + RICHER; offset += LIMIT) {
    const reply = await app.inject(`/api/v3/topAccountsByBalance?limit=${LIMIT}&offset=${offset}`);
    pages.push(reply.json<TopAccountsAnswer>());
  }
  const all = pages.flat();
  expect(new Set(all.map(({ account }) => account)).size).toBe(TIED + RICHER);
  const ordered = all.toSorted(
    (a, b) => Number(b.balance) - Number(a.balance) || (a.account < b.account ? 1 : -1),
  );
  expect(all).toEqual(ordered);
  const scanned = await app.inject(`/api/v3/topAccountsByBalance?limit=${LIMIT}&cursor=`);
  expect(scanned.json<{ accounts: TopAccountsAnswer }>().accounts).toEqual(pages[0]);
});
