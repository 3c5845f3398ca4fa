import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { readSelling, readTokens } from '../../src/projections/actions/stored/read-facts.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

/*
 * Facts of sales and items as the classifier of traces is told them, from the tables of `contracts`.
 */

const NETWORK = 'facts_test';
const hash = (digit: string) => digit.repeat(64);
const raw = (digit: string) => `0:${hash(digit)}`;
const [SALE, ITEM, SELLER, COLLECTION, MARKET] = ['A', 'B', 'C', 'D', 'E'] as const;

describe('facts of stored contracts', () => {
  let store: TestStore;
  const database = versionDatabase(NETWORK, 'contracts', 1);
  const insert = (sql: string) => store.client.command(sql.replaceAll('{db}', database), { route: 'test' });

  beforeAll(async () => {
    store = await openTestStore(NETWORK);
    const directory = resolve(import.meta.dirname, '../../clickhouse');
    await migrate(store.client, {
      network: NETWORK,
      projection: 'contracts',
      version: 1,
      directory,
      epochSize: 40,
    });
    const details = (price: string) =>
      JSON.stringify({ full_price: price, marketplace_address: raw(MARKET) });
    await insert(
      `INSERT INTO {db}.land_contract_states (mc_seqno, account, lt, kind, is_gone, has_owner, owner, has_parent, parent, details)
       SELECT t.1, unhex('${hash(SALE)}'), t.1 * 100, 'nft_sale', t.3, true, unhex('${hash(SELLER)}'), true, unhex('${hash(ITEM)}'), t.2
       FROM (SELECT arrayJoin([(1, '${details('7')}', false), (5, '${details('9')}', false), (8, '${details('9')}', true)]) AS t)`,
    );
    await insert(
      `INSERT INTO {db}.land_token_states (mc_seqno, account, lt, kind, flag, has_parent, parent, child_code, content, link, amount)
       SELECT 2, unhex('${hash(ITEM)}'), 200, 'nft_item', true, true, unhex('${hash(COLLECTION)}'), unhex('${hash('1')}'), '{}', '7.json', 7
       UNION ALL SELECT 1, unhex('${hash(COLLECTION)}'), 100, 'nft_collection', true, false, unhex('${hash('0')}'), unhex('${hash('1')}'), '{}', 'http://items/', 0`,
    );
  }, 300_000);
  afterAll(() => store?.stop());

  it('are what a sale said at each step, also once it is gone', async () => {
    const found = await readSelling({ client: store.client, database }, [raw(SALE), raw(ITEM)], {
      first: 3,
      last: 10,
    });
    const facts = found.toSorted((a, b) => a.position - b.position);
    expect(
      facts.map(({ account, position, facts: one }) => [account, position, one?.nftSale?.fullPrice]),
    ).toEqual([
      [raw(SALE), 1, 7n],
      [raw(SALE), 5, 9n],
      [raw(SALE), 8, 9n],
    ]);
    expect(facts[0]!.facts!.nftSale).toMatchObject({
      nft: raw(ITEM),
      nftOwner: raw(SELLER),
      marketplace: raw(MARKET),
    });
  });

  it('are an item with the whole link of its content', async () => {
    const [found] = await readTokens({ client: store.client, database }, [raw(ITEM)], { first: 3, last: 10 });
    expect(found!.facts!.nftItem).toMatchObject({ index: 7n, contentUri: 'http://items/7.json' });
  });

  it('are none where an earlier version of contracts is served', async () => {
    await insert('DROP VIEW {db}.contract_states_mv');
    await insert('DROP TABLE {db}.contract_states');
    const range = { first: 3, last: 10 };
    expect(await readSelling({ client: store.client, database }, [raw(SALE)], range)).toEqual([]);
  });
});
