import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import { u64List } from '../../query/key-lists.ts';
import type { Page } from '../../query/page.ts';
import type { RawRow } from '../../query/scope.ts';
import type { Statement } from '../../query/statement.ts';
import type { TokenSource } from '../tokens/filter.ts';
import type { TransferRow } from './model.ts';
import { isByTime, type TransferFilter } from './plan.ts';

/** A transfer by its place in a list. */
export interface TransferKey {
  readonly lt: string;
  /** 64 upper-case hex digits. */
  readonly account: string;
  readonly workchain: number;
  readonly now: number;
}

/** The first keys of rows of `planTransferKeys`, each once, in the order of the list. */
export function firstKeys(rows: readonly RawRow[], filter: TransferFilter, page: Page): TransferKey[] {
  const keys = rows.map(([lt, account, workchain, now]) => ({
    lt: String(lt),
    account: String(account),
    workchain: Number(workchain),
    now: Number(now),
  }));
  const each = new Map(keys.map((key) => [keyText(key), key]));
  return [...each.values()].sort(compareKeys(filter, page)).slice(0, page.limit);
}

function keyText({ lt, account, workchain }: TransferKey): string {
  return `${lt} ${workchain}:${account}`;
}

/** Rows of the table for keys, 1,000 at most, unordered; read by `transferRows`. */
export function planTransfersByKey(
  { database }: TokenSource,
  { kind }: TransferFilter,
  keys: readonly TransferKey[],
): Statement {
  const lts = [...new Set(keys.map(({ lt }) => BigInt(lt)))];
  return {
    sql: `SELECT account, payload FROM ${database}.token_transfers PREWHERE kind = '${kind}' AND lt IN ${u64List(lts)}`,
    params: {},
  };
}

/** Rows of keys that a filter accepts, in the order of the list. */
export function chooseTransfers(
  rows: readonly TransferRow[],
  { source, filter, page, keys }: KeyedTransfers,
): readonly TransferRow[] {
  const wanted = new Set(keys.map(keyText));
  const isWanted = matcher(source, filter);
  const order = compareKeys(filter, page);
  return rows
    .map((row) => ({ row, key: toKey(row) }))
    .filter(({ row, key }) => wanted.has(keyText(key)) && isWanted(row))
    .sort((a, b) => order(a.key, b.key))
    .map(({ row }) => row);
}

export interface KeyedTransfers {
  readonly source: TokenSource;
  readonly filter: TransferFilter;
  readonly page: Page;
  readonly keys: readonly TransferKey[];
}

function toKey({ address, lt, now }: TransferRow): TransferKey {
  const { workchain, hash } = accountOfRaw(address);
  return { lt, account: hash, workchain, now };
}

/** The filter's conditions on a row itself, but for a scan's place, as `planTransfers` gives them to the store. */
function matcher({ visible, confirmed }: TokenSource, filter: TransferFilter): (row: TransferRow) => boolean {
  const { direction: side, excludesAborted = false } = filter;
  const [owners, accounts, parents] = [filter.owners, filter.accounts, filter.parents].map(toSet);
  const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = filter;
  const [startLt, endLt] = [filter.startLt, filter.endLt].map((lt) => (lt === undefined ? null : BigInt(lt)));
  const has = (set: ReadonlySet<string> | null | undefined, one: string | null) =>
    !set || (one !== null && set.has(one));
  return ({ address, parent, source, destination, aborted, now, lt, mcSeqno }) =>
    mcSeqno <= visible.last &&
    has(accounts, address) &&
    // The parents of detected ones are not in the table: the reader compares them.
    (has(parents, parent) || (parent === null && confirmed !== null)) &&
    ((side !== 'in' && has(owners, source)) || (side !== 'out' && has(owners, destination))) &&
    !(excludesAborted && aborted) &&
    now >= startUtime &&
    now <= endUtime &&
    (startLt == null || BigInt(lt) >= startLt) &&
    (endLt == null || BigInt(lt) <= endLt);
}

/** Null for no filter. */
function toSet(accounts: readonly AccountId[] = []): ReadonlySet<string> | null {
  return accounts.length > 0 ? new Set(accounts.map(rawAddress)) : null;
}

/** The order of lists, as `planTransferKeys` has it. */
function compareKeys(filter: TransferFilter, page: Page): (a: TransferKey, b: TransferKey) => number {
  const way = page.descending ? -1 : 1;
  const byTime = isByTime(filter);
  return (a, b) =>
    way *
    ((byTime ? a.now - b.now : 0) ||
      compare(BigInt(a.lt), BigInt(b.lt)) ||
      compare(a.account, b.account) ||
      a.workchain - b.workchain);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
