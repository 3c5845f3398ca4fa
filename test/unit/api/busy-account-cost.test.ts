import { Address, beginCell, Cell, storeAccount } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCellCaches, readContents } from '../../../src/api/entities/accounts/cells.ts';
import type { CodeAndData } from '../../../src/api/entities/accounts/code-and-data.ts';
import { readAccountStatesAt } from '../../../src/api/entities/accounts/find.ts';
import { openScope, READ_SETTINGS, type ReadScope } from '../../../src/api/query/scope.ts';
import { MAX_SHARED_KEYS } from '../../../src/api/query/shared-look-up.ts';
import { type IndexedStore, openIndexedStore } from '../../helpers/indexed-store.ts';
import { recordedStatements } from '../../helpers/recorded-statements.ts';
import { testCaller } from '../../helpers/test-caller.ts';

/*
 * The cost of accounts with thousands of states: their code came with the first one, their data with each. The real
 * server reports how many rows the statements would read.
 */

const STATES = 3_000;
/** Rows of a granule of account_cells. */
const GRANULE = 256;
const BUSY = Address.parseRaw(`0:${'11'.repeat(32)}`);
const QUIET = Address.parseRaw(`0:${'22'.repeat(32)}`);

const number = (value: number) => beginCell().storeUint(value, 64).endCell();
const CODE = number(0xc0de);
/** Hash of the one cell of a bag, hex; of no bag, the empty text. */
const hashOf = (bag: Uint8Array) =>
  bag.length === 0 ? '' : Cell.fromBoc(Buffer.from(bag))[0]!.hash().toString('hex');
const hashes = ({ code, data }: CodeAndData) => [hashOf(code), hashOf(data)];
const hex = (cell: Cell) => cell.hash().toString('hex');

function bagOf(addr: Address, lt: number, code: Cell | null, data: Cell): Uint8Array {
  const account = {
    addr,
    storageStats: { used: { cells: 1n, bits: 1n }, storageExtra: null, lastPaid: 0, duePayment: null },
    storage: {
      lastTransLt: BigInt(lt),
      balance: { coins: 1n },
      state: { type: 'active', state: { code, data } },
    },
  } as Parameters<typeof storeAccount>[0];
  return beginCell().storeBit(1).store(storeAccount(account)).endCell().toBoc({ idx: false });
}

const BAGS = [
  ...Array.from({ length: STATES }, (_, at) => bagOf(BUSY, 1_000 + at, at === 0 ? CODE : null, number(at))),
  bagOf(QUIET, 500, CODE, number(7)),
];

describe('code and data of a busy account', { timeout: 300_000 }, () => {
  let store: IndexedStore;
  let scope: ReadScope;
  const asked = recordedStatements();

  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], accounts: BAGS, visible: { first: 0, last: 9 } });
    const context = { ...store.context, client: asked.client(store.context.client) };
    scope = openScope(context, { route: 'test', reads: ['base'], caller: testCaller({}) });
  }, 300_000);
  afterAll(() => store?.close());

  /** The newest state of an account, as if its data and code were these. */
  const stateOf = async (address: Address) => {
    const id = { workchain: 0, hash: address.hash.toString('hex').toUpperCase() };
    const [state] = [...(await readAccountStatesAt(scope, [id], 9)).values()];
    asked.take();
    return { ...state!, code_hash: CODE.hash().toString('base64') };
  };
  /** Rows that the store reads for a statement, including its sub-selects. */
  const rowsOf = async (sql: string) => {
    const text = await store.client.queryText(sql.replace(/FORMAT \w+\s*$/, 'FORMAT JSONCompact'), {
      route: 'test',
      params: { p0: 9 },
      settings: READ_SETTINGS,
    });
    return (JSON.parse(text) as { statistics: { rows_read: number } }).statistics.rows_read;
  };

  it('is found, and costs few rows once it is known to have many states', async () => {
    const last = await stateOf(BUSY);
    expect((await readContents(scope, [last])).map(hashes)).toEqual([[hex(CODE), hex(number(STATES - 1))]]);
    const [together, byKeys] = asked.take();
    expect(together).toContain('LIMIT 4 BY');
    expect(await rowsOf(byKeys!)).toBeLessThanOrEqual(3 * GRANULE);

    const earlier = { ...last, lt: '2500', data_hash: number(1_500).hash().toString('base64') };
    expect((await readContents(scope, [earlier])).map(hashes)).toEqual([[hex(CODE), hex(number(1_500))]]);
    const statements = asked.take();
    expect(statements).toHaveLength(1);
    expect(await rowsOf(statements[0]!)).toBeLessThanOrEqual(GRANULE);
  });

  it('is looked up together with others, each of which has its own', async () => {
    const [busy, quiet] = [await stateOf(BUSY), await stateOf(QUIET)];
    const { contents, manyCells } = getCellCaches(scope);
    const expected = [number(STATES - 1), number(7), number(STATES - 1)].map((data) => [
      hex(CODE),
      hex(data),
    ]);
    for (const isKnown of [false, true, true]) {
      contents.clear();
      if (!isKnown) manyCells.clear();
      expect((await readContents(scope, [busy, quiet, busy])).map(hashes)).toEqual(expected);
      expect([...manyCells.keys()]).toEqual([`0:${'11'.repeat(32)}`]);
    }
  });

  it('is found for more states than share a statement', async () => {
    getCellCaches(scope).contents.clear();
    const last = await stateOf(BUSY);
    const places = Array.from({ length: MAX_SHARED_KEYS + 1 }, (_, at) => at * 100 + 1);
    const states = places.map((at) => ({
      ...last,
      lt: `${1_000 + at}`,
      data_hash: number(at).hash().toString('base64'),
    }));
    expect((await readContents(scope, states)).map(hashes)).toEqual(
      places.map((at) => [hex(CODE), hex(number(at))]),
    );
    expect(asked.take()).toHaveLength(1);
  });
});
