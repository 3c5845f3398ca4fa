/**
 * Two stores in one process whose databases have equal names: what answers of one cached is in no answer of the other. Both are
 * real servers. Only the first has rows.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCodeFacts } from '../../src/api/entities/contracts/code-facts.ts';
import { readDomains } from '../../src/api/entities/contracts/domains.ts';
import { tokenSource } from '../../src/api/entities/tokens/filter.ts';
import { namedByParents } from '../../src/api/entities/tokens/newest.ts';
import { openScope } from '../../src/api/query/scope.ts';
import { readOpenCodes } from '../../src/projections/actions/stored/open-codes.ts';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { testCaller } from '../helpers/test-caller.ts';

const VISIBLE = { first: 1, last: 9 };
const NETWORK = 'serve_test';
/** The collection of `.ton`. */
const ZONE = 'B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF';
const [ITEM, WALLET, CODE] = ['A1', 'B2', 'C3'].map((byte) => byte.repeat(32)) as [string, string, string];
const CODE_HASH = Buffer.from(CODE, 'hex').toString('base64');
const METHODS = ['get_sale_data', 'seqno'].map(methodId);

const bytes = (hex: string) => `unhex('${hex}')`;
const ids = Buffer.from(new Uint32Array(METHODS).buffer).toString('hex');
const ROWS = [
  `codes (mc_seqno, code_hash, is_known, methods) VALUES (1, ${bytes(CODE)}, true, ${bytes(ids)})`,
  `token_states (mc_seqno, account, lt, kind, since, code_hash, child_code)
   VALUES (1, ${bytes(ZONE)}, 1, 'nft_collection', 1, ${bytes(CODE)}, ${bytes(CODE)})`,
  `contract_states (mc_seqno, account, lt, kind, code_hash, has_owner, owner, has_parent, parent, domain, has_wallet, wallet)
   VALUES (1, ${bytes(ITEM)}, 1, 'dns_item', ${bytes(CODE)}, true, ${bytes(WALLET)}, true, ${bytes(ZONE)}, 'alice.ton', true, ${bytes(WALLET)})`,
  `contract_keys (mc_seqno, role, key, account) VALUES (1, 'wallet', ${bytes(WALLET)}, ${bytes(ITEM)})`,
];

describe('two stores in one process', { timeout: 300_000 }, () => {
  const stores: IndexedStore[] = [];
  beforeAll(async () => {
    for (const rows of [ROWS, []]) {
      const store = await openIndexedStore({ folders: [], visible: VISIBLE, contracts: true });
      stores.push(store);
      for (const row of rows)
        await store.client.command(`INSERT INTO ${store.contracts}.land_${row}`, { route: 'test' });
    }
  }, 300_000);
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });

  /** What each store answers; the one with rows is read first. */
  const readEach = async <T>(read: (store: IndexedStore) => Promise<T>): Promise<T[]> => {
    const found: T[] = [];
    for (const store of stores) found.push(await read(store));
    return found;
  };
  const scopeOf = ({ context }: IndexedStore) =>
    openScope(context, { route: 'test', reads: ['base'], adds: ['contracts'], caller: testCaller() });
  const sourceOf = ({ contracts, context }: IndexedStore) =>
    tokenSource({ databases: { contracts: contracts ?? '' }, visible: VISIBLE, context });

  it('have databases of the same name', () => {
    expect(stores[0]?.contracts).toBe(stores[1]?.contracts);
  });

  it('does not mix names of accounts', async () => {
    const account = { workchain: 0, hash: WALLET };
    const names = await readEach((store) => readDomains(scopeOf(store), [account]));
    expect(names.map((one) => [...one.values()])).toEqual([['alice.ton'], []]);
  });

  it('does not mix facts of codes', async () => {
    const facts = await readEach((store) => readCodeFacts(scopeOf(store), [CODE_HASH]));
    expect(facts.map((one) => one.get(CODE_HASH)?.methods)).toEqual([METHODS, null]);
  });

  it('does not mix codes that parents name', async () => {
    const child = { kind: 'nft_item', parent: `0:${ZONE}`, childCode: CODE_HASH, isDetected: false } as const;
    const named = await readEach((store) => namedByParents(scopeOf(store), sourceOf(store), [child]));
    expect(named).toEqual([[child], []]);
  });

  it('does not mix which codes may be of a sale', async () => {
    const other = Buffer.from('D4'.repeat(32), 'hex').toString('base64');
    const ask = ({ client, contracts }: IndexedStore) =>
      readOpenCodes({ client, database: contracts ?? '' }, NETWORK, [CODE_HASH, other]);
    const open = await readEach(ask);
    expect(open.map((codes) => [...codes])).toEqual([[CODE_HASH], []]);
  });
});
