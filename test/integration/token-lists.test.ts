/**
 * Lists of tokens over made states of both databases, compared with a plain model: tokens from cells and tokens that get
 * methods identified are one list, in each order, at each page and cursor, as of each step. The same from the look-up
 * index, which needs fewer statements.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TokenFilter, TokenScope } from '../../src/api/entities/tokens/filter.ts';
import { readTokens, readTokensOfAccounts } from '../../src/api/entities/tokens/find.ts';
import {
  compareTokens,
  isAfter,
  type TokenKind,
  type TokenOrder,
  type TokenRow,
  tokenPlace,
} from '../../src/api/entities/tokens/model.ts';
import { accountOfRaw } from '../../src/api/query/account-id.ts';
import type { ReadScope } from '../../src/api/query/scope.ts';
import type { ServeContext } from '../../src/api/serve-context.ts';
import type { LookUpIndex } from '../../src/lookup/look-up-index.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import type { TokenRow as StoredToken } from '../../src/projections/tokens/token-row.ts';
import { TokenTable } from '../../src/projections/tokens/token-table.ts';
import { SeededRandom } from '../contract/log/seeded-random.ts';
import { startTestIndex } from '../helpers/indexed-answers.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { viewOf } from '../helpers/version-vector.ts';

const STEPS = 40;
/** Children of each kind. */
const CHILDREN = 90;
const ZEROS = new Uint8Array(32);
const route = { route: 'test' };

const account = (...bytes: number[]) => {
  const address = new Uint8Array(32);
  address.set(bytes);
  return { workchain: 0, address };
};
const hash = (byte: number) => new Uint8Array(32).fill(byte);
const toRaw = ({ address }: { readonly address: Uint8Array }) =>
  `0:${Buffer.from(address).toString('hex').toUpperCase()}`;

const OWNERS = [1, 2, 3, 4].map((byte) => account(0xee, byte));
/** Parents: the first is known by cells, the second by get methods, the third names no code of a child. */
const PARENTS = {
  jetton_wallet: [1, 2, 3].map((byte) => account(0xaa, byte)),
  nft_item: [1, 2, 3].map((byte) => account(0xbb, byte)),
} as const;
const PARENT_KIND = { jetton_wallet: 'jetton_master', nft_item: 'nft_collection' } as const;
type ChildKind = keyof typeof PARENTS;

interface State {
  readonly isDetected: boolean;
  readonly row: StoredToken;
}

const NO_TOKEN = {
  flag: false,
  owner: null,
  parent: null,
  content: null,
  link: '',
  dataHash: ZEROS,
  codeHash: ZEROS,
} as const;

/** States of accounts in the order of the chain, in each database as its projection makes them. */
class MadeStates {
  readonly all: State[] = [];
  readonly #tables = { cells: new TokenTable(0), detected: new TokenTable(0) };
  readonly #known = new Map<string, StoredToken>();
  #lt = 1_000n;

  get tables() {
    return this.#tables;
  }

  add(
    isDetected: boolean,
    state: Pick<StoredToken, 'position' | 'account' | 'kind' | 'isGone'> & Partial<StoredToken>,
  ) {
    const name = `${isDetected} ${toRaw(state.account)} ${state.kind}`;
    const before = this.#known.get(name);
    const wasToken = before && !before.isGone;
    if (state.isGone && !wasToken) return;
    const since = wasToken ? before.since : state.position;
    const lt = state.lt ?? ++this.#lt;
    const facts = state.isGone ? before! : { ...NO_TOKEN, amount: 0n, childCode: ZEROS, ...state };
    const row: StoredToken = { ...facts, ...state, since, lt } as StoredToken;
    const whole = state.isGone ? { ...before!, position: state.position, lt, isGone: true } : row;
    this.#tables[isDetected ? 'detected' : 'cells'].add(whole, before, 0);
    this.#known.set(name, whole);
    this.all.push({ isDetected, row: whole });
  }

  get lt(): bigint {
    return this.#lt;
  }
}

function makeStates(random: SeededRandom): MadeStates {
  const states = new MadeStates();
  for (const kind of ['jetton_wallet', 'nft_item'] as const) {
    const of = { kind: PARENT_KIND[kind], position: 1, isGone: false } as const;
    const [known, detected, other] = PARENTS[kind];
    states.add(false, { ...of, account: known!, childCode: hash(1) });
    states.add(true, { ...of, account: detected!, childCode: kind === 'jetton_wallet' ? hash(2) : ZEROS });
    states.add(false, { ...of, account: other!, childCode: hash(9) });
  }
  for (let position = 2; position <= STEPS; position++)
    for (const kind of ['jetton_wallet', 'nft_item'] as const)
      for (let i = 0; i < 12; i++) addChild(states, random, kind, position);
  // Masters that end, in either database, among the first ones that were seen.
  for (const [i, isDetected] of [true, false, true].entries()) {
    const of = { kind: 'jetton_master', account: account(0xac, i), childCode: hash(7) } as const;
    states.add(isDetected, { ...of, position: 1, isGone: false });
    states.add(isDetected, { ...of, position: 20 + i, isGone: true });
  }
  return states;
}

function addChild(states: MadeStates, random: SeededRandom, kind: ChildKind, position: number): void {
  const child = random.between(0, CHILDREN - 1);
  // A third is only in one of the databases, the others may be in both, and take turns.
  const isDetected = child % 3 === 0 ? false : child % 3 === 1 ? true : random.between(0, 1) === 1;
  const [known, detected, other] = PARENTS[kind];
  const parent = [known, detected, other][child % 5 === 4 ? 2 : child % 2]!;
  const codes = new Map([
    [known, hash(1)],
    [detected, hash(2)],
    [other, hash(3)],
  ]);
  states.add(isDetected, {
    ...{ kind, position, parent, account: account(kind === 'nft_item' ? 0xc1 : 0xc0, child) },
    isGone: random.between(0, 5) === 0,
    childCode: isDetected ? ZEROS : codes.get(parent)!,
    owner: OWNERS[random.between(0, OWNERS.length - 1)]!,
    amount: kind === 'nft_item' ? BigInt(child) : BigInt(random.between(0, 4)) * 10n,
  });
}

/** The tokens of a kind at the end of a step. */
function tokensAt(states: readonly State[], kind: TokenKind, last: number): TokenRow[] {
  const visible = states.filter(({ row }) => row.position <= last);
  const named = new Set(
    visible.map(
      ({ row }) => `${row.kind} ${toRaw(row.account)} ${Buffer.from(row.childCode).toString('hex')}`,
    ),
  );
  const newest = new Map<string, State>();
  for (const state of visible)
    if (state.row.kind === kind) newest.set(`${state.isDetected} ${toRaw(state.row.account)}`, state);
  const valid = [...newest.values()].filter(({ isDetected, row }) => {
    if (row.isGone) return false;
    if (isDetected || !row.parent) return true;
    const parent = `${PARENT_KIND[kind as ChildKind]} ${toRaw(row.parent)}`;
    return named.has(`${parent} ${Buffer.from(row.childCode).toString('hex')}`);
  });
  const known = new Set(valid.filter(({ isDetected }) => !isDetected).map(({ row }) => toRaw(row.account)));
  return valid
    .filter(({ isDetected, row }) => !(isDetected && known.has(toRaw(row.account))))
    .map(({ row, isDetected }) => ({
      address: toRaw(row.account),
      kind,
      lt: String(row.lt),
      since: row.since,
      amount: String(row.amount),
      flag: false,
      owner: row.owner && toRaw(row.owner),
      parent: row.parent && toRaw(row.parent),
      codeHash: '',
      dataHash: '',
      childCode: '',
      content: '',
      link: '',
      isDetected,
    }));
}

function takes({ owners = [], parents = [], addresses = [], amounts = [], isAboveZero }: TokenFilter) {
  const among = (list: readonly { readonly hash: string }[], raw: string | null) =>
    list.length === 0 || (raw !== null && list.some((one) => raw === `0:${one.hash}`));
  return (row: TokenRow) =>
    among(addresses, row.address) &&
    among(owners, row.owner) &&
    among(parents, row.parent) &&
    (amounts.length === 0 || amounts.includes(row.amount)) &&
    (!isAboveZero || row.amount !== '0');
}

const ids = (list: readonly { readonly address: Uint8Array }[]) =>
  list.map((one) => accountOfRaw(toRaw(one)));
const brief = ({ address, amount, owner, since, lt, isDetected }: TokenRow) =>
  [address, amount, owner, since, lt, isDetected].join(' ');

const WALLETS = PARENTS.jetton_wallet;
const ITEMS = PARENTS.nft_item;
const LISTS: readonly (readonly [name: string, TokenFilter, TokenOrder])[] = [
  ['masters', { kind: 'jetton_master' }, 'first'],
  ['collections', { kind: 'nft_collection' }, 'first'],
  ['wallets', { kind: 'jetton_wallet' }, 'first'],
  ['wallets with jettons', { kind: 'jetton_wallet', isAboveZero: true }, 'first'],
  ...WALLETS.flatMap((parent, i) => [
    [`holders of ${i}`, { kind: 'jetton_wallet', parents: ids([parent]) }, 'amount'] as const,
    [
      `holders of ${i} with jettons`,
      { kind: 'jetton_wallet', parents: ids([parent]), isAboveZero: true },
      'amount',
    ] as const,
    [`wallets of ${i}`, { kind: 'jetton_wallet', parents: ids([parent]) }, 'first'] as const,
    [`items of ${i}`, { kind: 'nft_item', parents: ids([ITEMS[i]!]) }, 'index'] as const,
  ]),
  ['wallets of several masters', { kind: 'jetton_wallet', parents: ids(WALLETS) }, 'amount'],
  ['wallets of an owner', { kind: 'jetton_wallet', owners: ids(OWNERS.slice(0, 1)) }, 'first'],
  ['wallets of owners', { kind: 'jetton_wallet', owners: ids(OWNERS.slice(1)) }, 'owner, amount'],
  ['items of an owner', { kind: 'nft_item', owners: ids(OWNERS.slice(2, 3)) }, 'parent, index'],
  ['items by their last change', { kind: 'nft_item' }, 'lt'],
  [
    'items of some indexes',
    { kind: 'nft_item', parents: ids([ITEMS[1]!]), amounts: ['1', '7', '31'] },
    'index',
  ],
  [
    'wallets by address',
    {
      kind: 'jetton_wallet',
      addresses: Array.from({ length: 30 }, (_, i) => accountOfRaw(toRaw(account(0xc0, i)))),
    },
    'address',
  ],
];

const ALL = { first: 1, last: STEPS };

/** The rows of both databases in a look-up index; resolves when it has all of them. */
async function openIndex({ client, contracts, detections }: IndexedStore, directory: string) {
  const databases: Readonly<Record<string, string>> = { contracts: contracts!, detections: detections! };
  for (const database of Object.values(databases))
    await client.command(
      `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES (1, ${STEPS}, 0, 0)`,
      route,
    );
  const getServed = (name: string) =>
    databases[name] === undefined ? null : { database: databases[name], visible: ALL };
  const logged: string[] = [];
  const index = await startTestIndex(directory, { client, getServed, logged });
  await vi.waitFor(
    () => {
      expect(logged).toEqual([]);
      for (const database of Object.values(databases)) expect(index.open(database)?.covers(ALL)).toBe(true);
    },
    { timeout: 120_000, interval: 50 },
  );
  return index;
}

describe.each([false, true])(
  'lists of tokens from cells and from get methods, with an index: %s',
  { timeout: 300_000 },
  (isIndexed) => {
    const states = makeStates(new SeededRandom(41));
    const directory = mkdtempSync(join(tmpdir(), 'tonhouse-test-'));
    let store: IndexedStore;
    let context: ServeContext;
    let index: LookUpIndex | null = null;
    let statements = 0;
    beforeAll(async () => {
      store = await openIndexedStore({ folders: [], visible: { first: 1, last: STEPS }, contracts: true });
      for (const [table, database] of [
        [states.tables.cells, store.contracts],
        [states.tables.detected, store.detections],
      ] as const)
        await store.client.insertNative(
          `${database}.land_token_states`,
          encodeNativeBlock(table.builder),
          route,
        );
      const vector = { ...store.context.vector(), detections: viewOf(store.detections!, ALL) };
      context = { ...store.context, vector: () => vector };
      if (!isIndexed) return;
      index = await openIndex(store, directory);
      context = { ...context, lookUps: index };
    }, 300_000);
    afterAll(async () => {
      await index?.close();
      await store?.close();
      rmSync(directory, { recursive: true });
    });

    const scopeAt = (last: number): TokenScope => {
      const query: TokenScope['query'] = async (statement) => {
        statements++;
        const { sql, params } = statement.render(null);
        return (await store.client.queryRows(sql, { ...route, params })).rows as never;
      };
      const queryBytes: TokenScope['queryBytes'] = (statement) => {
        statements++;
        const { sql, params } = statement.render(null);
        return store.client.queryBytes(`${sql} FORMAT RowBinary`, { ...route, params });
      };
      const scope = { query, queryBytes } as unknown as ReadScope;
      return {
        ...{ query, queryBytes, databases: { contracts: store.contracts! }, visible: { first: 1, last } },
        context,
        share: (lookUp, keys, like) => lookUp.read(scope, keys, like),
      };
    };

    // The newest states, and an older step: newer states are above the visible range then.
    it.each([STEPS, 23])('are as of step %i, at each page, offset and cursor', async (last) => {
      for (const [name, filter, order] of LISTS)
        for (const descending of last === STEPS ? [false, true] : [true]) {
          const list = { order, page: { limit: 7, offset: 0, descending } };
          const all = tokensAt(states.all, filter.kind, last).filter(takes(filter)).sort(compareTokens(list));
          const read = async (page: { limit: number; offset: number }, after?: TokenRow) => {
            const place = after && { after: tokenPlace(after, order) };
            const rows = await readTokens(
              scopeAt(last),
              { ...filter, ...place },
              { ...page, descending },
              order,
            );
            return rows.map(brief);
          };
          const told = (what: string) => `${name}, ${descending ? 'descending' : 'ascending'}, ${what}`;
          expect(await read({ limit: 100, offset: 0 }), told('all')).toEqual(all.slice(0, 100).map(brief));
          for (const offset of [5, 20])
            expect(await read({ limit: 7, offset }), told(`from ${offset}`)).toEqual(
              all.slice(offset, offset + 7).map(brief),
            );
          const after = all[Math.floor(all.length / 2)];
          if (after)
            expect(await read({ limit: 7, offset: 0 }, after), told('after a row')).toEqual(
              all
                .filter(isAfter(list, tokenPlace(after, order)))
                .slice(0, 7)
                .map(brief),
            );
        }
    });

    /** Statements that lists of at most seven rows need, without and with an index. */
    const COSTS: Readonly<Record<string, readonly [stored: number, indexed: number]>> = {
      masters: [2, 0],
      collections: [2, 0],
      wallets: [4, 1],
      'wallets of 0': [3, 0],
      'wallets of an owner': [3, 0],
      'wallets of owners': [3, 0],
      'items of an owner': [3, 0],
      'wallets by address': [2, 0],
      'holders of 0': [4, 0],
      'items of 0': [4, 0],
    };
    it('need few statements', async () => {
      const page = { limit: 7, offset: 0, descending: false };
      const found: Record<string, number> = {};
      for (const [name, filter, order] of LISTS.filter(([one]) => one in COSTS)) {
        // Codes that parents name are cached; one parent names none.
        await readTokens(scopeAt(STEPS), filter, page, order);
        statements = 0;
        await readTokens(scopeAt(STEPS), filter, page, order);
        found[name] = statements;
      }
      const expected = Object.entries(COSTS).map(([name, both]) => [name, both[isIndexed ? 1 : 0]]);
      expect(found).toEqual(Object.fromEntries(expected));
    });

    it('have tokens of both kinds, and of accounts that both databases have', () => {
      const wallets = tokensAt(states.all, 'jetton_wallet', STEPS);
      expect(new Set(wallets.map(({ isDetected }) => isDetected))).toEqual(new Set([true, false]));
      const inBoth = (kind: TokenKind) => {
        const of = (isDetected: boolean) =>
          new Set(
            states.all
              .filter((one) => one.isDetected === isDetected && one.row.kind === kind)
              .map(({ row }) => toRaw(row.account)),
          );
        return of(true).intersection(of(false)).size;
      };
      expect(inBoth('jetton_wallet')).toBeGreaterThan(10);
      expect(inBoth('nft_item')).toBeGreaterThan(10);
    });

    it('give the tokens among accounts, from the cache too', async () => {
      const accounts = Array.from({ length: CHILDREN }, (_, i) => accountOfRaw(toRaw(account(0xc0, i))));
      const expected = tokensAt(states.all, 'jetton_wallet', STEPS).map(brief).sort();
      for (let round = 0; round < 2; round++) {
        const rows = await readTokensOfAccounts(scopeAt(STEPS), ['jetton_wallet', 'nft_item'], accounts);
        expect(rows.map(brief).sort()).toEqual(expected);
      }
    });
  },
);
