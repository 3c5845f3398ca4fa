import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOfRaw } from '../../src/api/read/account-id.ts';
import { planContracts } from '../../src/api/read/plan-contracts.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { readContracts, readTokens } from '../../src/projections/actions/stored/read-facts.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

/*
 * Facts of sales and items as the classifier of traces is told them, from the tables of `contracts`.
 */

const NETWORK = 'facts_test';
const hash = (digit: string) => digit.repeat(64);
const raw = (digit: string) => `0:${hash(digit)}`;
const [SALE, ITEM, SELLER, COLLECTION, MARKET, ORDER] = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

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
      `INSERT INTO {db}.land_contract_states (mc_seqno, account, lt, kind, details)
       VALUES (4, unhex('${hash(ORDER)}'), 400, 'multisig_order', '${JSON.stringify({ signers: [raw(SELLER)] })}')`,
    );
    await insert(
      `INSERT INTO {db}.land_token_states (mc_seqno, account, lt, kind, flag, has_parent, parent, child_code, content, link, amount)
       SELECT 2, unhex('${hash(ITEM)}'), 200, 'nft_item', true, true, unhex('${hash(COLLECTION)}'), unhex('${hash('1')}'), '{}', '7.json', 7
       UNION ALL SELECT 1, unhex('${hash(COLLECTION)}'), 100, 'nft_collection', true, false, unhex('${hash('0')}'), unhex('${hash('1')}'), '{}', 'http://items/', 0`,
    );
  }, 300_000);
  afterAll(() => store?.stop());

  it('are what a sale said at each step, also once it is gone', async () => {
    const found = await readContracts({ client: store.client, database }, [raw(SALE), raw(ITEM)], {
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

  it('are the signers of an order', async () => {
    const range = { first: 3, last: 10 };
    const [found] = await readContracts({ client: store.client, database }, [raw(ORDER)], range);
    expect(found).toMatchObject({
      account: raw(ORDER),
      position: 4,
      facts: { multisigOrder: { signers: [raw(SELLER)] } },
    });
  });

  it('answers on demand read a sale that is gone where they are told to, as stored actions do', async () => {
    const source = { database, visible: { first: 0, last: 10 } };
    const addresses = [accountOfRaw(raw(SALE))];
    const prices = async (withGone: boolean) => {
      const { sql, params } = planContracts(source, { kinds: ['nft_sale'], addresses, withGone });
      const { rows } = await store.client.queryRows<string[]>(sql, { route: 'test', params });
      return rows.map((cells) => (JSON.parse(cells.at(-1)!) as { full_price: string }).full_price);
    };
    expect(await prices(false)).toEqual([]);
    expect(await prices(true)).toEqual(['9']);
  });

  it('are an item with the whole link of its content', async () => {
    const [found] = await readTokens({ client: store.client, database }, [raw(ITEM)], { first: 3, last: 10 });
    expect(found!.facts!.nftItem).toMatchObject({ index: 7n, contentUri: 'http://items/7.json' });
  });

  it('are none where an earlier version of contracts is served', async () => {
    await insert('DROP VIEW {db}.contract_states_mv');
    await insert('DROP TABLE {db}.contract_states');
    const range = { first: 3, last: 10 };
    expect(await readContracts({ client: store.client, database }, [raw(SALE)], range)).toEqual([]);
  });
});
