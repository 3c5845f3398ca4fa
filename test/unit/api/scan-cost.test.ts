import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planRanking } from '../../../src/api/entities/accounts/ranking.ts';
import { planDomains } from '../../../src/api/entities/contracts/plan.ts';
import { messageSource } from '../../../src/api/entities/messages/paths.ts';
import { planMessageKeys } from '../../../src/api/entities/messages/plan-keys.ts';
import type { TokenScope } from '../../../src/api/entities/tokens/filter.ts';
import { readTokens } from '../../../src/api/entities/tokens/find.ts';
import type { TokenKind } from '../../../src/api/entities/tokens/model.ts';
import { type TokenOrder, type TokenPlace, tokenPlace } from '../../../src/api/entities/tokens/model.ts';
import { planCandidates, planTokens } from '../../../src/api/entities/tokens/plan.ts';
import type { TransferFilter } from '../../../src/api/entities/transfers/filter.ts';
import { readTransfers } from '../../../src/api/entities/transfers/find.ts';
import { planTransferKeys, planTransfers } from '../../../src/api/entities/transfers/plan.ts';
import type { ReadScope } from '../../../src/api/query/scope.ts';
import type { Sql } from '../../../src/api/query/sql.ts';
import { CountedReads } from '../../helpers/counted-reads.ts';
import { type IndexedStore, openIndexedStore, withDetections } from '../../helpers/indexed-store.ts';

/*
 * A page of a scan costs the same at any position: over 200,000 generated rows the real server reports how many rows
 * the statements of a page at the start, in the middle and near the end read.
 */

const ROWS = 200_000;
const VISIBLE = { first: 1, last: ROWS };
const PAGE = { limit: 50, offset: 0, descending: true };
/** Granules of each index: 1024 rows, of transfers 128; a statement reads the ones around its place. */
const MAX_ROWS = 16_000;
/** Granules of a ranking, or of the index of first sight (some thirteen for 720 candidates), and of parents. */
const MAX_INDEX_ROWS = 16_000;

const MASTER = "SHA256('master')";
const COLLECTION = "SHA256('collection')";
const CODE = "SHA256('code')";
const account = (n: string) => `SHA256(concat('a', toString(${n})))`;
const STEP = 'intDiv(number, 20) + 1';

const CONTRACT_FILLS = [
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, ${MASTER}, 1, 'jetton_master', true, true, 1, ${CODE} FROM numbers(1)`,
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, has_parent, parent, child_code, amount)
   SELECT ${STEP}, ${account('number')}, 1000 + number, 'jetton_wallet', true, true, ${STEP}, true, ${MASTER}, ${CODE}, number % 1000 FROM numbers(${ROWS})`,
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, ${COLLECTION}, 1, 'nft_collection', true, true, 1, ${CODE} FROM numbers(1)`,
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, has_parent, parent, child_code, amount)
   SELECT ${STEP}, ${account('number + 1000000')}, 1000 + number, 'nft_item', true, true, ${STEP}, true, ${COLLECTION}, ${CODE}, cityHash64(number) FROM numbers(2000)`,
  `land_token_transfers (mc_seqno, kind, account, lt, hash, now, has_parent, parent, child_code, has_source, source)
   SELECT ${STEP}, 'jetton_transfer', ${account('number')}, 1000 + number * 3, SHA256(toString(number)), 1600000000 + ${STEP}, true, ${MASTER}, ${CODE},
     true, ${account('number % 2')} FROM numbers(${ROWS})`,
];
/** Many masters; many collections, and names of the one that is a zone, each of them the wallet's own. */
const MANY = 4_000;
const NAME_FILLS = [
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, SHA256(concat('j', toString(number))), 1, 'jetton_master', true, true, 1, ${CODE} FROM numbers(${MANY})`,
  `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, child_code)
   SELECT 1, SHA256(concat('c', toString(number))), 1, 'nft_collection', true, true, 1, ${CODE} FROM numbers(${MANY})`,
  `land_contract_states (mc_seqno, account, lt, kind, code_hash, has_parent, parent, domain, has_owner, owner, has_wallet, wallet)
   SELECT 1, ${account('number')}, 1, 'dns_item', ${CODE}, true, ${COLLECTION}, concat('n', toString(number), '.ton'),
     true, SHA256(toString(number)), true, SHA256(toString(number)) FROM numbers(${MANY})`,
  `land_contract_keys (mc_seqno, role, key, account)
   SELECT 1, 'wallet', SHA256(toString(number)), ${account('number')} FROM numbers(${MANY})`,
];
const MESSAGES = `land_messages (mc_seqno, listed, hash, created_lt, created_at, source, source_kind)
  SELECT ${STEP}, true, SHA256(concat('m', toString(number))), 1000 + number * 3, 1600000000 + ${STEP}, ${account('number % 2')}, 'std' FROM numbers(${ROWS})`;

const BALANCES = `balances_ranked (balance, account, lt, net)
  SELECT 1000 + number, ${account('number')}, 1000 + number, 1 FROM numbers(${ROWS})`;

const NEWEST_STATES = `accounts_latest (mc_seqno, balance, account, lt)
  SELECT 1, 1000 + number, ${account('number')}, 1000 + number FROM numbers(${ROWS})`;

/** A state of an account is read with some granules of 256. */
const ROWS_OF_STATE = 512;

describe('the cost of a page of a scan', { timeout: 300_000 }, () => {
  let store: IndexedStore;
  let reads: CountedReads;
  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], visible: VISIBLE, contracts: true });
    reads = new CountedReads(store.client);
    const settings = { max_block_size: ROWS, min_insert_block_size_rows: ROWS };
    const insert = (text: string) => store.client.command(`INSERT INTO ${text}`, { route: 'test', settings });
    for (const fill of [...CONTRACT_FILLS, ...NAME_FILLS]) await insert(`${store.contracts}.${fill}`);
    await insert(`${store.database}.${MESSAGES}`);
    await insert(`${store.database}.${BALANCES}`);
    await insert(`${store.database}.${NEWEST_STATES}`);
    await store.client.command(`OPTIMIZE TABLE ${store.database}.accounts_latest FINAL`, { route: 'test' });
    // One part a table, as merging leaves it.
    const merge = (table: string) =>
      store.client.command(`OPTIMIZE TABLE ${store.contracts}.${table} FINAL`, { route: 'test' });
    for (const table of ['tokens_latest', 'tokens_ranked', 'token_firsts', 'tokens_by_parent'])
      await merge(table);
  }, 300_000);
  afterAll(() => store?.close());

  const read = async (statement: Sql) => {
    const rows = await reads.query(statement);
    return { rows: rows.length, cost: reads.take() };
  };
  const id = async (expression: string) => {
    const { rows } = await store.client.queryRows<[string]>(`SELECT hex(${expression})`, { route: 'test' });
    return { workchain: 0, hash: rows[0]![0] };
  };
  /** Numbers of rows of the made tables: from the newest on a page is at the beginning, in the middle, near the end. */
  const PLACES = [ROWS - 1_000, ROWS / 2, 1_000];
  const equalCosts = async (plan: (n: number) => Promise<Sql>, page = PAGE.limit, most = MAX_ROWS) => {
    for (const n of PLACES) {
      const { rows, cost } = await read(await plan(n));
      expect({ n, rows }).toEqual({ n, rows: page });
      expect({ n, cost }).toEqual({ n, cost: expect.toSatisfy((found: number) => found <= most) });
    }
  };
  const source = () => ({
    database: store.contracts!,
    visible: VISIBLE,
    detected: null,
    claims: null,
  });
  const transferScan = async (n: number): Promise<TransferFilter> => ({
    kind: 'jetton_transfer',
    scan: {
      after: { lt: String(1000 + n * 3), account: (await id(account(String(n)))).hash, workchain: 0 },
      descending: true,
      newFrom: null,
    },
  });

  it('of all transfers', () =>
    equalCosts(async (n) =>
      planTransfers(source(), await transferScan(n), PAGE, { keys: null, isNamed: true }),
    ));

  it('of transfers of an account and of a master', async () => {
    const owners = [await id(account('1'))];
    const parents = [await id(MASTER)];
    await equalCosts(async (n) => planTransferKeys(source(), { ...(await transferScan(n)), owners }, PAGE));
    await equalCosts(async (n) => planTransferKeys(source(), { ...(await transferScan(n)), parents }, PAGE));
  });

  it('of messages, all and of an account', async () => {
    const after = (n: number) => ({ createdLt: String(1000 + n * 3), hash8: '0' });
    for (const filter of [{}, { source: await id(account('1')) }])
      await equalCosts(async (n) => {
        const scanned = { ...filter, scan: { after: after(n), descending: true } };
        return planMessageKeys(messageSource(store.database, scanned, VISIBLE), scanned, PAGE);
      });
  });

  it('of the ranking of balances', async () => {
    const scope = { databases: { base: store.database }, visible: VISIBLE };
    const plan = async (n: number) => {
      const { hash } = await id(account(String(n)));
      return planRanking(scope, PAGE.limit, { balance: `${1000 + n}`, account: hash, workchain: 0 });
    };
    // The end of what was read, and a state of each account.
    await equalCosts(plan, PAGE.limit + 1, MAX_ROWS + PAGE.limit * ROWS_OF_STATE);
  });

  it('of wallets, all and of a master', async () => {
    const place = async (n: number) => ({
      since: Math.floor(n / 20) + 1,
      account: (await id(account(String(n)))).hash,
      workchain: 0,
      lt: '0',
      amount: '0',
      parent: '',
    });
    const kind = 'jetton_wallet' as const;
    const parents = [await id(MASTER)];
    for (const filter of [{ kind }, { kind, parents }])
      await equalCosts(async (n) =>
        planCandidates(source(), { ...filter, after: await place(n) }, PAGE.limit),
      );
  });

  const countedScope = (): TokenScope => ({
    databases: { contracts: store.contracts! },
    visible: VISIBLE,
    context: store.context,
    query: reads.query,
    queryBytes: reads.queryBytes,
    share: (lookUp, keys, like) => lookUp.read(reads as unknown as ReadScope, keys, like),
  });
  /** Addresses of a page by a plain statement over all states. */
  const addressesOf = async (kind: TokenKind, order: string, offset: number) => {
    const { rows } = await store.client.queryRows<[string]>(
      `SELECT concat('0:', hex(account)) FROM ${store.contracts}.token_states WHERE kind = '${kind}' ${order} LIMIT ${PAGE.limit} OFFSET ${offset}`,
      { route: 'test' },
    );
    return rows.map(([address]) => address);
  };

  it('of the items of a collection by index, whichever way the page goes', async () => {
    const filter = { kind: 'nft_item', parents: [await id(COLLECTION)] } as const;
    for (const descending of [true, false])
      for (const offset of [0, 300, 1_970]) {
        const page = { limit: PAGE.limit, offset, descending };
        const rows = await readTokens(countedScope(), filter, page, 'index');
        expect(rows.map(({ address }) => address)).toEqual(
          await addressesOf('nft_item', 'ORDER BY amount, account', offset),
        );
        const after = tokenPlace(rows[9]!);
        const behind = await readTokens(
          countedScope(),
          { ...filter, after },
          { ...page, limit: 10, offset: 0 },
          'index',
        );
        expect(behind).toEqual(rows.slice(10, 20));
      }
  });

  it('of the newest transfers, however many masters there are', async () => {
    reads.take();
    const rows = await readTransfers(countedScope(), { kind: 'jetton_transfer' }, PAGE);
    expect(rows.map(({ lt }) => Number(lt))).toEqual(
      Array.from({ length: PAGE.limit }, (_, i) => 1000 + (ROWS - 1 - i) * 3),
    );
    expect(reads.take()).toEqual(expect.toSatisfy((found: number) => found <= 2_000));
  });

  it('of the newest transfers of items that get methods alone tell, however many they are', async () => {
    const items = `FROM numbers(${ROWS})`;
    for (const fill of [
      `${store.contracts}.land_token_transfers (mc_seqno, kind, account, lt, hash)
       SELECT ${STEP}, 'nft_transfer', ${account('number + 2000000')}, 1000 + number * 3, SHA256(toString(number)) ${items}`,
      `${store.detections}.land_token_states (mc_seqno, kind, account, lt, is_first, since, amount, has_parent, parent)
       SELECT 1, 'nft_item', ${account('number + 2000000')}, 1, true, 1, number, true, ${COLLECTION} ${items}`,
    ])
      await store.client.command(`INSERT INTO ${fill}`, { route: 'test' });
    const scope = { ...countedScope(), context: withDetections(store) };
    reads.take();
    const rows = await readTransfers(scope, { kind: 'nft_transfer' }, PAGE);
    const { hash } = await id(COLLECTION);
    expect(rows.map(({ amount, parent }) => [amount, parent])).toEqual(
      Array.from({ length: PAGE.limit }, (_, i) => [`${ROWS - 1 - i}`, `0:${hash}`]),
    );
    // A granule of 256 for each receiver of the page and of its spare rows.
    expect(reads.take()).toEqual(expect.toSatisfy((found: number) => found <= 40_000));
  });

  it('of the names of an account, however many collections there are', async () => {
    reads.take();
    const wallet = await id("SHA256('777')");
    const zones = [`0:${(await id(COLLECTION)).hash}`];
    const names = await reads.query(planDomains(source(), [wallet], zones));
    expect(names).toEqual([[`0:${wallet.hash}`, 'n777.ton']]);
    expect(reads.take()).toEqual(expect.toSatisfy((rows: number) => rows <= 5_000));
  });

  it('of the holders of a master, by balance and as they were first seen', async () => {
    const kind = 'jetton_wallet' as const;
    const parents = [await id(MASTER)];
    const scope = countedScope();
    const expected = (order: string, offset: number) => addressesOf(kind, order, offset);
    const table: readonly (readonly [TokenOrder, boolean, boolean, string])[] = [
      ['amount', true, false, 'ORDER BY amount DESC, account DESC'],
      ['amount', false, false, 'ORDER BY amount, account'],
      ['amount', false, true, 'AND amount > 0 ORDER BY amount, account'],
      ['first', false, false, 'ORDER BY since, account'],
      ['first', false, true, 'AND amount > 0 ORDER BY since, account'],
    ];
    for (const [order, descending, isAboveZero, sql] of table)
      for (const offset of [0, 300]) {
        reads.take();
        const page = { limit: PAGE.limit, offset, descending };
        const rows = await readTokens(scope, { kind, parents, isAboveZero }, page, order);
        expect(rows.map(({ address }) => address)).toEqual(await expected(sql, offset));
        // The states of the page's candidates are read by key, a granule of 64 rows each at most; of spare ones none.
        const wanted = offset + PAGE.limit;
        const candidates = order === 'first' && isAboveZero ? 2 * wanted + 20 : wanted + 4;
        expect({ order, offset, cost: reads.take() }).toEqual({
          order,
          offset,
          cost: expect.toSatisfy((found: number) => found <= MAX_INDEX_ROWS + candidates * 64),
        });
      }
    // One statement over everything of the master, as it was read before the ranking.
    const list = { filter: { kind, parents }, page: { ...PAGE, limit: 50 }, order: 'amount' as const };
    const all = await read(planTokens(source(), list));
    reads.take();
    await readTokens(scope, list.filter, list.page, list.order);
    const cost = reads.take();
    expect({ all: all.cost, cost }).toEqual({
      all: expect.toSatisfy((found: number) => found >= ROWS),
      cost: expect.toSatisfy((found: number) => found * 5 <= all.cost),
    });
    console.log(
      `holders of a master of ${ROWS}: ${cost} rows are read for 50, without the ranking ${all.cost}`,
    );
  });

  it('of several owners goes by owner first, whichever way the page goes', async () => {
    const owner = (n: string) => account(`(${n}) % 3 + 3000000`);
    const fill = `land_token_states (mc_seqno, account, lt, kind, is_first, is_owner_new, since, has_owner, owner, has_parent, parent, child_code, amount)
      SELECT number + 1, ${account('number + 2000000')}, 1000 + number, 'jetton_wallet', true, true, number + 1, true, ${owner('number')}, true, ${MASTER}, ${CODE}, number * 7 % 31 FROM numbers(60)`;
    await store.client.command(`INSERT INTO ${store.contracts}.${fill}`, { route: 'test' });
    const kind = 'jetton_wallet' as const;
    const owners = await Promise.all(['0', '1', '2'].map((n) => id(owner(n))));
    const table: readonly (readonly [TokenOrder, boolean, string])[] = [
      ['owner, first', true, 'owner, since, account'],
      ['owner, amount', true, 'owner, amount DESC, account DESC'],
      ['owner, amount', false, 'owner, amount, account'],
      ['owner, parent, index', false, 'owner, parent, amount, account'],
    ];
    for (const [order, descending, sql] of table) {
      const all = await addressesOf(kind, `AND has_owner ORDER BY ${sql}`, 0);
      const of = async (limit: number, offset: number, after: TokenPlace | null = null) =>
        readTokens(countedScope(), { kind, owners, after }, { limit, offset, descending }, order);
      const rows = await of(50, 0);
      expect(rows.map(({ address }) => address)).toEqual(all);
      expect(await of(5, 12)).toEqual(rows.slice(12, 17));
      expect(await of(10, 0, tokenPlace(rows[21]!, order))).toEqual(rows.slice(22, 32));
    }
  });
});
