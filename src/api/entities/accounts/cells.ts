import { LRUCache } from 'lru-cache';
import { readsTooMuch } from '../../../platform/clickhouse/store-errors.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { accountOfRaw, rawAddress, toRawAddress } from '../../query/account-id.ts';
import { answerCache } from '../../query/answer-cache.ts';
import type { ReadLimits, ReadScope } from '../../query/scope.ts';
import { MAX_SHARED_KEYS, SharedLookUp } from '../../query/shared-look-up.ts';
import type { Sql } from '../../query/sql.ts';
import { type CodeAndData, codeAndData, findWithin, resolveCodeAndData } from './code-and-data.ts';
import { findIndexedBags } from './indexed-cells.ts';
import { type AccountStateRow, getAccount } from './model.ts';
import { ZERO_HASH } from './none-account.ts';
import {
  limitsTogether,
  planAccountCells,
  planCellsTogether,
  planOwnCells,
  type StateKey,
} from './plan-cells.ts';

type Cells = ReadonlyMap<string, readonly Uint8Array[]>;

/** Bytes of an entry of `contents` in addition to its bag. */
const CONTENT_BYTES = 256;

interface CellCaches {
  /** Accounts, by raw address, with so many cells that a state's cells are read by their keys. */
  readonly manyCells: LRUCache<string, true>;
  /** Bags of the code and of the data of states by the hash (base64) of their root. */
  readonly contents: LRUCache<string, Uint8Array>;
}

export const getCellCaches = answerCache(
  (): CellCaches => ({
    manyCells: new LRUCache({ max: 50_000 }),
    contents: new LRUCache({
      maxSize: 32 * 1024 ** 2,
      sizeCalculation: (bag) => bag.length + CONTENT_BYTES,
    }),
  }),
);

const OF_STATES = new SharedLookUp<Cells>(async (scope, keys) => {
  const { manyCells } = getCellCaches(scope);
  const { many = [], few = [] } = Object.groupBy(keys.map(parseKey), (state) =>
    manyCells.has(rawAddress(getAccount(state))) ? 'many' : 'few',
  );
  const read = await Promise.all([
    ...(few.length > 0 ? [readTogether(scope, few)] : []),
    ...many.map((state) => readCells(scope, planAccountCells(scope, [state]))),
  ]);
  return joined(read);
});

/**
 * Cells of accounts with presumably few. If there are too many, each is read separately, and the account is remembered.
 */
async function readTogether(scope: ReadScope, states: readonly StateKey[]): Promise<Cells> {
  try {
    return await readCells(scope, planCellsTogether(scope, states), limitsTogether(states));
  } catch (error) {
    if (!readsTooMuch(error)) throw error;
    if (states.length > 1)
      return joined(await Promise.all(states.map((state) => readTogether(scope, [state]))));
    const { manyCells } = getCellCaches(scope);
    for (const state of states) manyCells.set(rawAddress(getAccount(state)), true);
    return readCells(scope, planAccountCells(scope, states));
  }
}

function joined(read: readonly Cells[]): Cells {
  const cells = new Map<string, readonly Uint8Array[]>();
  for (const [raw, bags] of read.flatMap((some) => [...some]))
    cells.set(raw, [...(cells.get(raw) ?? []), ...bags]);
  return cells;
}

const OWN = new SharedLookUp<Cells>((scope, keys) =>
  readCells(scope, planOwnCells(scope, keys.map(parseKey))),
);

function toKey(state: StateKey): string {
  return `${rawAddress(getAccount(state))} ${state.lt}`;
}

function parseKey(key: string): StateKey {
  const [raw = '', lt = ''] = key.split(' ');
  const account = accountOfRaw(raw);
  return { workchain: account.workchain, account: account.hash, lt };
}

/**
 * Code and data of states, in order; each empty if absent or incomplete. A hash names one cell: a cached cell serves
 * all accounts with the same code, and the same account until its data changes.
 */
export async function readContents(
  scope: ReadScope,
  states: readonly AccountStateRow[],
): Promise<readonly CodeAndData[]> {
  const { contents, manyCells } = getCellCaches(scope);
  const isOpen = (state: AccountStateRow) => !getCached(contents, state);
  const complete = cacheIndexed(scope, contents, states.filter(isOpen));
  const isUnread = (state: AccountStateRow) => isOpen(state) && !complete.has(state);
  await cacheOwnData(scope, { contents, manyCells }, states.filter(isUnread));
  const cached = states.map((state) => getCached(contents, state));
  const open = states.filter((_, i) => !cached[i]);
  if (open.length === 0) return cached as readonly CodeAndData[];
  const cells = await readAccountCells(
    scope,
    open.filter((state) => !complete.has(state)),
  );
  const getBags = (state: AccountStateRow) =>
    complete.get(state) ?? cells.get(rawAddress(getAccount(state))) ?? [];
  const read = await resolveCodeAndData(
    scope,
    open.map((state) => ({ wanted: state, bags: getBags(state) })),
  );
  const found = new Map(open.map((state, i) => [state, read[i] as CodeAndData]));
  for (const [state, content] of found) cache(contents, state, content);
  return states.map((state, i) => cached[i] ?? (found.get(state) as CodeAndData));
}

/**
 * Caches code and data of states that the look-up index has. Returns the bags of other states for which a statement
 * would find no other ones.
 */
function cacheIndexed(
  scope: ReadScope,
  contents: CellCaches['contents'],
  open: readonly AccountStateRow[],
): ReadonlyMap<AccountStateRow, readonly Uint8Array[]> {
  const complete = new Map<AccountStateRow, readonly Uint8Array[]>();
  for (const state of open) {
    const indexed = findIndexedBags(scope, state);
    if (!indexed) continue;
    const { bags, isComplete } = indexed;
    const code = contents.get(state.code_hash);
    const found = findWithin({ wanted: code ? { ...state, code_hash: ZERO_HASH } : state, bags });
    if (found) cache(contents, state, found);
    else if (isComplete) complete.set(state, bags);
  }
  return complete;
}

function cache(
  contents: CellCaches['contents'],
  { code_hash, data_hash }: AccountStateRow,
  { code, data }: CodeAndData,
): void {
  if (code.length > 0) contents.set(code_hash, code);
  if (data.length > 0) contents.set(data_hash, data);
}

const NOTHING = new Uint8Array(0);

/** Null if one of both must be read. */
function getCached(contents: CellCaches['contents'], state: AccountStateRow): CodeAndData | null {
  const of = (hash: string) => (hash === ZERO_HASH ? NOTHING : contents.get(hash));
  const [code, data] = [of(state.code_hash), of(state.data_hash)];
  return code && data ? { code, data } : null;
}

/**
 * A busy account with known code needs only its data, which is often complete in the state's own cell: its key names
 * that cell, however many the account has.
 */
async function cacheOwnData(
  scope: ReadScope,
  { contents, manyCells }: CellCaches,
  open: readonly AccountStateRow[],
): Promise<void> {
  const isBusy = (state: AccountStateRow) =>
    manyCells.has(rawAddress(getAccount(state))) && contents.has(state.code_hash);
  const busy = open.filter(isBusy).slice(0, MAX_SHARED_KEYS);
  if (busy.length === 0) return;
  const cells = await OWN.find(scope, busy.map(toKey));
  for (const state of busy) {
    const { data } = codeAndData(cells.get(rawAddress(getAccount(state))) ?? [], state);
    if (data.length > 0) contents.set(state.data_hash, data);
  }
}

/**
 * The Account cells that may contain code and data of states, by raw address: the state's own, which omits unchanged
 * cells, and the account's first, from its deployment. One query, and one more for each account with many cells.
 */
async function readAccountCells(scope: ReadScope, states: readonly AccountStateRow[]): Promise<Cells> {
  if (states.length === 0) return new Map();
  if (states.length > MAX_SHARED_KEYS) return readCells(scope, planAccountCells(scope, states));
  return OF_STATES.find(scope, states.map(toKey));
}

async function readCells(scope: ReadScope, statement: Sql, limits: ReadLimits = {}): Promise<Cells> {
  const found = new Map<string, Uint8Array[]>();
  const answer = await scope.queryBytes(statement, limits);
  for (const rows = new RowBinary(answer); rows.more; ) {
    const raw = toRawAddress(rows.i32(), rows.fixed(32));
    const cells = found.get(raw);
    if (cells) cells.push(rows.string());
    else found.set(raw, [rows.string()]);
  }
  return found;
}
