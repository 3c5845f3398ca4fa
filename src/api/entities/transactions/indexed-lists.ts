import { getLookUp, keyBuilder } from '../../../tables/look-ups/look-ups.ts';
import { RowBinary } from '../../../tables/row-binary.ts';
import { TRANSACTION_TARGETS } from '../../../tables/transaction-targets.ts';
import type { IndexedRow, LookUps } from '../../look-up-port.ts';
import { findKnown, lackRows } from '../../query/known-rows.ts';
import { getLookUps, type Keys, keysAfter, keysWith, toBuffer } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import { isVisible, type ReadScope } from '../../query/scope.ts';
import type { TimeWindow } from '../blocks/time-window.ts';
import { findIndexed } from './indexed.ts';
import type { TransactionRow } from './model.ts';

const BY_LT = getLookUp(
  TRANSACTION_TARGETS.find(({ name }) => name === 'account_transactions')!,
  'transaction_by_lt',
);
const toKey = keyBuilder(BY_LT);
/** Transactions of a page: a statement takes less time for more. */
const MAX_PAGE = 256;
/** Rows that one page reads at most: more would hold up other answers. */
const MAX_ROWS = 2_000;
/** Rows that are read at a time besides the page: transactions of different accounts share an lt. */
const MORE = 64;
const ID_BYTES = 32;
const LT_BYTES = 8;

/** What lists are ordered by, and the hash: 64 upper-case hex digits. */
interface Listed {
  readonly lt: bigint;
  readonly now: number;
  readonly workchain: number;
  readonly account: Buffer;
  readonly hash: string;
}

/** The newest or the oldest transactions, in the order of `BY_LT`, from the look-up index. Null: a statement has to find them. */
export function findEdge(scope: ReadScope, page: Page): readonly TransactionRow[] | null {
  const lookUps = openLists(scope, page);
  const known = lookUps && findKnown(scope, lookUps, scope.visible);
  if (!known) return null;
  const isPart = known.lt > 0n;
  if (isPart && !page.descending) return lackRows(lookUps, scope.visible);
  const listed = listEdge(scope, lookUps, page, known.lt);
  if (!listed) return null;
  if (isPart && listed.length < page.limit + page.offset) return lackRows(lookUps, scope.visible);
  return readPage(scope, listed, page);
}

/** The transactions of a window, in the order of `BY_TIME`, from the look-up index. Null: a statement has to find them. */
export function findInWindow(
  scope: ReadScope,
  { startLt, endLt, startUtime, endUtime, transactions }: TimeWindow,
  page: Page,
): readonly TransactionRow[] | null {
  const lookUps = transactions < MAX_ROWS ? openLists(scope, page) : null;
  const known = lookUps && findKnown(scope, lookUps, scope.visible);
  if (!known) return null;
  if (known.lt > BigInt(startLt)) return lackRows(lookUps, scope.visible);
  const bounds = { from: toKey(BigInt(startLt)), below: keysWith(toKey(BigInt(endLt))).below };
  const rows = readList(scope, lookUps, bounds, { descending: page.descending, limit: MAX_ROWS });
  if (rows.count === MAX_ROWS) return null;
  const inWindow = rows.listed.filter(({ now }) => now >= startUtime && now <= endUtime);
  return readPage(scope, inWindow, page, ({ now }) => now);
}

/** The list by lt, if the page is short. */
function openLists(scope: ReadScope, { limit, offset }: Page): LookUps | null {
  if (limit > MAX_PAGE || limit + offset > MAX_ROWS) return null;
  return getLookUps(scope, scope.databases.base, BY_LT.lookUp.name);
}

/** Rows from one end of the list: at least those of the page, and all with the lt of its last one. `least`: the lowest lt. */
function listEdge(scope: ReadScope, lookUps: LookUps, page: Page, least: bigint): readonly Listed[] | null {
  const wanted = page.limit + page.offset;
  const limit = wanted + MORE;
  const listed: Listed[] = [];
  let bounds: Keys = { from: toKey(least), below: Buffer.alloc(LT_BYTES + 1, 0xff) };
  for (let read = 0; read < MAX_ROWS; read += limit) {
    const part = readList(scope, lookUps, bounds, { descending: page.descending, limit });
    listed.push(...part.listed);
    const edge = listed[wanted - 1]?.lt;
    if (part.count < limit || (edge !== undefined && listed.at(-1)!.lt !== edge)) return listed;
    bounds = keysAfter(bounds, part.last!, page.descending);
  }
  return null;
}

interface Part {
  readonly listed: readonly Listed[];
  /** Rows that were read, also those that are not visible. */
  readonly count: number;
  /** The key of the last one. */
  readonly last: Uint8Array | undefined;
}

function readList(
  { visible }: ReadScope,
  lookUps: LookUps,
  bounds: Keys,
  { descending, limit }: Pick<Page, 'descending' | 'limit'>,
): Part {
  const rows = lookUps.range(BY_LT.lookUp.name, { ...bounds, isFalling: descending }, limit);
  const listed = rows.filter(({ step }) => isVisible(step, visible)).map(toListed);
  return { listed, count: rows.length, last: rows.at(-1)?.key };
}

function toListed({ key, value }: IndexedRow): Listed {
  const place = toBuffer(key);
  const values = new RowBinary(toBuffer(value));
  return {
    lt: place.readBigUInt64BE(),
    account: place.subarray(LT_BYTES, LT_BYTES + ID_BYTES),
    workchain: place.readInt32BE(LT_BYTES + ID_BYTES),
    hash: values.fixed(ID_BYTES).toString('hex').toUpperCase(),
    now: values.u32(),
  };
}

/** The page of a list, which is ordered here: rows of equal lt are by workchain and account both ways. */
function readPage(
  scope: ReadScope,
  listed: readonly Listed[],
  { descending, limit, offset }: Page,
  toFirst: (one: Listed) => number = () => 0,
): readonly TransactionRow[] | null {
  const way = descending ? -1 : 1;
  const sorted = listed.toSorted((a, b) => {
    const [x, y] = [toFirst(a), toFirst(b)];
    if (x !== y) return (x - y) * way;
    if (a.lt !== b.lt) return a.lt < b.lt ? -way : way;
    return a.workchain - b.workchain || Buffer.compare(a.account, b.account);
  });
  const hashes = sorted.slice(offset, offset + limit).map(({ hash }) => hash);
  const { found } = findIndexed(scope, hashes);
  return found.size === hashes.length ? [...found.values()] : null;
}
