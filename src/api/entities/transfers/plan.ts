import type { AccountId } from '../../query/account-id.ts';
import { isAmong, isIn, toHash, toHashSet, toNumbers } from '../../query/keys.ts';
import { type Page, toLimit, way } from '../../query/page.ts';
import { addressColumns } from '../../query/select-list.ts';
import { and, identifier, join, type Sql, sql, texts, u32, u64, u64s, words } from '../../query/sql.ts';
import { fromEach, isKind, isVisible, namedCodes, type TokenSource } from '../tokens/filter.ts';
import type { TokenKind } from '../tokens/model.ts';
import { isByTime, TRANSFERS, type TransferFilter, type TransferKey } from './filter.ts';
import type { TransferKind, TransferRole } from './model.ts';

/** Lists are ordered by time with a bound of time, else by lt; scans by lt. */
function orderBy(filter: TransferFilter, page: Page): Sql {
  const by = LT_ORDER.by(page.descending);
  return isByTime(filter) ? sql`now ${way(page)}, ${by}` : by;
}

const LT_ORDER = TRANSFERS.jetton_transfer.order(['lt', 'page'], ['account', 'page'], ['workchain', 'page']);

/** So many pairs of key and role are each read in the order of the index; more are sorted. */
const MAX_ORDERED = 8;

/** Keys of so short a page are put together by the process: the store would take as long for that as for reading them. */
const MAX_UNMERGED = 1_000;

/**
 * Keys (lt, account, workchain, now) of an account's transfers, from which `firstKeys` takes the page; filters unknown
 * to the index are omitted. Detected wallets and items have no parent in the index: they are looked up separately.
 */
export function planTransferKeys(source: TokenSource, filter: TransferFilter, page: Page): Sql {
  const [keys, roles] = chooseIndex(filter);
  const children = roles[0] === 'parent' ? detectedChildren(source, filter.kind, keys) : null;
  const wanted = isInRange(source, filter);
  const table = identifier(source.database, 'token_transfer_keys');
  const isChild = children && sql`key IN ${children} AND role = 'account'`;
  const paged = sql`ORDER BY ${orderBy(filter, page)} LIMIT ${u32(page.limit)} OFFSET ${u32(page.offset)}`;
  const select = sql`SELECT DISTINCT lt, hex(account), workchain, now, account FROM`;
  if (isByTime(filter) || keys.length * roles.length > MAX_ORDERED) {
    const isOwn = sql`key IN ${toHashSet(keys.map(({ hash }) => hash))} AND role IN (${words(...roles)})`;
    return sql`${select} ${table} WHERE ${and(isChild ? sql`(${isOwn} OR ${isChild})` : isOwn, wanted)} ${paged}`;
  }
  const isMerged = page.offset > 0 || page.limit > MAX_UNMERGED;
  const account = isMerged ? sql`account` : sql`hex(account)`;
  const readFirst = (pair: Sql, isOneKey: boolean) => {
    const by = isOneKey ? sql`key ${way(page)}, kind ${way(page)}, role ${way(page)}, ` : sql``;
    return sql`(SELECT lt, ${account}, workchain, now FROM ${table} PREWHERE ${pair} AND ${wanted} ORDER BY ${by}${LT_ORDER.by(page.descending)} LIMIT ${u32(page.limit + page.offset)})`;
  };
  const some = keys.flatMap(({ hash }) =>
    roles.map((role) => readFirst(sql`key = ${toHash(hash)} AND role = ${words(role)}`, true)),
  );
  if (isChild) some.push(readFirst(isChild, false));
  const all = join(some, ' UNION ALL ');
  return isMerged ? sql`${select} (${all}) ${paged}` : all;
}

/** The narrowest index, and the roles that its accounts have in it. */
export function chooseIndex({
  owners = [],
  accounts = [],
  parents = [],
  direction: side,
}: TransferFilter): [readonly AccountId[], readonly TransferRole[]] {
  if (accounts.length > 0) return [accounts, ['account']];
  if (owners.length === 0) return [parents, ['parent']];
  if (side === undefined) return [owners, ['source', 'destination']];
  return [owners, [side === 'in' ? 'destination' : 'source']];
}

/** Rows of the table for keys, 1,000 at most, unordered; read by `transferRows`. */
export function planTransfersByKey(
  { database }: TokenSource,
  { kind }: TransferFilter,
  keys: readonly TransferKey[],
): Sql {
  const lts = [...new Set(keys.map(({ lt }) => BigInt(lt)))];
  return sql`SELECT account, payload FROM ${identifier(database, 'token_transfers')} PREWHERE ${isKind(kind)} AND lt IN ${toNumbers(lts)}`;
}

/** Which rows of the table a statement looks at. */
export interface TransfersAmong {
  /** Null: all. */
  readonly keys: readonly TransferKey[] | null;
  /**
   * Leaves those whose parents name their code, by the codes of all parents that there are. Otherwise the process asks of the
   * rows that it gets.
   */
  readonly isNamed: boolean;
}

/** Rows of keys, or of the whole table, that all filters take; to be read by `transferRows`. */
export function planTransfers(
  source: TokenSource,
  filter: TransferFilter,
  page: Page,
  { keys, isNamed }: TransfersAmong,
): Sql {
  const newFrom = filter.scan?.newFrom ?? null;
  const wanted = and(
    isInRange(source, filter),
    keys && isAmongKeys(keys),
    isExact(source, filter),
    isNamed && isConfirmed(source, filter.kind, keys),
    // A transfer whose parent's code or receiver is known only now was on no page before.
    newFrom !== null &&
      sql`(mc_seqno >= ${u32(newFrom)} OR NOT ${isConfirmedBefore(source, filter.kind, newFrom)})`,
  );
  return sql`SELECT account, payload FROM ${identifier(source.database, 'token_transfers')} WHERE ${wanted} ORDER BY ${orderBy(filter, page)} ${toLimit(page)}`;
}

function isAmongKeys(keys: readonly TransferKey[]): Sql {
  const [lts, accounts] = [keys.map(({ lt }) => lt), keys.map(({ account }) => account)];
  return sql`(lt, account) IN (SELECT k.1, toFixedString(unhex(k.2), 32) FROM (SELECT arrayJoin(arrayZip(${u64s(lts)}, ${texts(accounts)})) AS k))`;
}

function isInRange(source: TokenSource, filter: TransferFilter): Sql {
  const { kind, startUtime, endUtime, startLt, endLt, scan } = filter;
  return and(
    isKind(kind),
    isVisible(source),
    startUtime !== undefined && sql`now >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`now <= ${u32(endUtime)}`,
    startLt !== undefined && sql`lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`lt <= ${u64(endLt)}`,
    scan?.after && LT_ORDER.after(scan.after, scan.descending),
  );
}

/** Conditions on a row itself. */
function isExact({ detected }: TokenSource, filter: TransferFilter): Sql | null {
  const { owners = [], accounts = [], parents = [], direction: side, excludesAborted } = filter;
  const isOn = (name: string) => sql`(${identifier(`has_${name}`)} AND ${isIn(owners, name)})`;
  const sides = side === 'in' ? ['destination'] : side === 'out' ? ['source'] : ['source', 'destination'];
  const conditions = [
    accounts.length > 0 && isIn(accounts),
    // The parents of detected ones are not in the table: the reader compares them.
    parents.length > 0 &&
      (detected === null ? isIn(parents, 'parent') : sql`(NOT has_parent OR ${isIn(parents, 'parent')})`),
    owners.length > 0 && sql`(${join(sides.map(isOn), ' OR ')})`,
    excludesAborted && sql`NOT aborted`,
  ];
  return conditions.some(Boolean) ? and(...conditions.map((one) => one || null)) : null;
}

/** A wallet or an item, by what its parent must name. */
const CHILD = sql`(parent, parent_workchain, child_code)`;

/** The kind whose code decides the contracts of a kind's transfers. */
function getParentKind(kind: TransferKind): TokenKind {
  return kind === 'nft_transfer' ? 'nft_collection' : 'jetton_master';
}

/** Kind of the contract that a transfer of a kind is received by. */
export function receiverKind(kind: TransferKind): 'nft_item' | 'jetton_wallet' {
  return kind === 'nft_transfer' ? 'nft_item' : 'jetton_wallet';
}

/** Condition: the receiver is a wallet or an item. Its parent names its code, or it was detected. `keys`: of the rows. */
function isConfirmed(source: TokenSource, kind: TransferKind, keys: readonly TransferKey[] | null): Sql {
  const among = keys && sql`account IN ${toHashSet(keys.map(({ account }) => account))}`;
  const named = sql`${CHILD} IN ${namedCodes(source, getParentKind(kind), null)}`;
  const once = keys
    ? detectedOnce(source, kind, among)
    : sql`${isKind(receiverKind(kind))} AND ${isVisible(source)}`;
  return orDetected(source, named, keys ? 'tokens_latest' : 'token_firsts', once);
}

/** The same below a step. */
function isConfirmedBefore(source: TokenSource, kind: TransferKind, step: number): Sql {
  const isBefore = sql`mc_seqno < ${u32(step)}`;
  const of = and(isKind(getParentKind(kind)), isBefore);
  const codes = fromEach(
    source,
    'token_firsts',
    (from) => sql`SELECT account, workchain, child_code FROM ${from} WHERE ${of}`,
  );
  return orDetected(
    source,
    sql`${CHILD} IN (${codes})`,
    'token_firsts',
    and(isKind(receiverKind(kind)), isBefore),
  );
}

/** Condition: `named`, or an account was detected once by a table and a condition. */
function orDetected({ detected }: TokenSource, named: Sql, table: string, of: Sql): Sql {
  if (detected === null) return sql`(${named})`;
  return sql`(${named} OR (account, workchain) IN (SELECT account, workchain FROM ${identifier(detected, table)} WHERE ${of}))`;
}

/** Condition on `tokens_latest`: a receiver that was detected once: an ended one keeps its parent and index. */
function detectedOnce(source: TokenSource, kind: TransferKind, among: Sql | null): Sql {
  return and(among, isKind(receiverKind(kind)), isVisible(source, 'since'));
}

/** Set of accounts that were detected as children of some masters or collections; null if there are none. */
function detectedChildren(
  { detected }: TokenSource,
  kind: TransferKind,
  parents: readonly AccountId[],
): Sql | null {
  if (detected === null) return null;
  return sql`(SELECT account FROM ${identifier(detected, 'tokens_by_parent')} WHERE ${isIn(parents, 'parent')} AND ${isKind(receiverKind(kind))})`;
}

/**
 * Receivers that were detected once among accounts, KEYS_PER_PARAMETER at most: workchain, account, parent, index, as of
 * their newest state.
 */
export function planDetectedReceivers(
  source: TokenSource & { readonly detected: string },
  kind: TransferKind,
  accounts: readonly AccountId[],
): Sql {
  const of = detectedOnce(source, kind, isAmong(accounts));
  return sql`SELECT workchain, hex(account), ${addressColumns('parent')}, toString(amount) FROM ${identifier(source.detected, 'tokens_latest')} WHERE ${of} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
}

/**
 * The lowest lt of transfers that are new in the visible steps: those of these steps, and older ones whose master,
 * collection or receiver these steps show first.
 */
export function planTransferFloor(source: TokenSource, base: string, kind: TransferKind): Sql {
  const { database, visible, detected } = source;
  const within = sql`BETWEEN ${u32(visible.first)} AND ${u32(visible.last)}`;
  const steps = sql`SELECT min(start_lt) AS lt FROM ${identifier(base, 'blocks')} PREWHERE mc_seqno ${within} HAVING count() > 0`;
  const readOlder = (keys: Sql, role: 'parent' | 'account') =>
    sql`SELECT min(lt) AS lt FROM ${identifier(database, 'token_transfer_keys')} WHERE key IN (${keys}) AND ${isKind(kind)} AND role = ${words(role)} HAVING count() > 0`;
  const firsts = (of: TokenKind) => (from: Sql) =>
    sql`SELECT account FROM ${from} WHERE ${isKind(of)} AND mc_seqno ${within}`;
  const all = [steps, readOlder(fromEach(source, 'token_firsts', firsts(getParentKind(kind))), 'parent')];
  if (detected !== null) {
    const receivers = firsts(receiverKind(kind))(identifier(detected, 'token_firsts'));
    all.push(readOlder(receivers, 'account'));
  }
  return sql`SELECT toString(min(lt)) FROM (${join(all, ' UNION ALL ')})`;
}
