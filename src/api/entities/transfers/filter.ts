import { type AccountId, accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { I32, ID, type Keyset, keyset, U64 } from '../../query/keyset.ts';
import type { Page } from '../../query/page.ts';
import type { RawRow } from '../../query/scope.ts';
import type { TokenSource } from '../tokens/filter.ts';
import type { TransferKind, TransferRow } from './model.ts';

/** Which transfers are wanted; lists are OR-ed, filters AND-ed, an empty list is no filter. */
export interface TransferFilter {
  readonly kind: TransferKind;
  readonly owners?: readonly AccountId[];
  /** The side that an owner is on: `in` destination, `out` source. Default: either. */
  readonly direction?: 'in' | 'out';
  /** Wallets or items. */
  readonly accounts?: readonly AccountId[];
  /** Masters or collections. */
  readonly parents?: readonly AccountId[];
  readonly excludesAborted?: boolean;
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: string;
  readonly endLt?: string;
  /** Place of a scan: the list from here on, always by lt. */
  readonly scan?: TransferScan;
}

/** The place of a transfer in a list by lt: `lt` decimal, `account` 64 upper-case hex digits. */
export interface TransferPlace {
  readonly lt: string;
  readonly account: string;
  readonly workchain: number;
}

const PLACE = { lt: U64, account: ID, workchain: I32 } as const;

/** Places of lists of transfers. */
export const TRANSFERS: Readonly<Record<TransferKind, Keyset<TransferPlace>>> = {
  jetton_transfer: keyset({ list: 'jt', isResumable: true }, PLACE),
  jetton_burn: keyset({ list: 'jb', isResumable: true }, PLACE),
  nft_transfer: keyset({ list: 'nt', isResumable: true }, PLACE),
};

export function transferPlace({ lt, address }: TransferRow): TransferPlace {
  const { hash: account, workchain } = accountOfRaw(address);
  return { lt, account, workchain };
}

/** A scan's position, and the step from which on transfers are new to it: null if the scan begins with the index. */
export interface TransferScan extends ScanPlace<TransferPlace> {
  readonly newFrom: number | null;
}

/** True if a list is by time: scans are by lt. */
export function isByTime({ startUtime, endUtime, scan }: TransferFilter): boolean {
  return !scan && (startUtime !== undefined || endUtime !== undefined);
}

/** Whether an index by account narrows the list. */
export function isByAccount({ owners = [], accounts = [], parents = [] }: TransferFilter): boolean {
  return owners.length > 0 || accounts.length > 0 || parents.length > 0;
}

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
function matcher({ visible, detected }: TokenSource, filter: TransferFilter): (row: TransferRow) => boolean {
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
    (has(parents, parent) || (parent === null && detected !== null)) &&
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
export function compareKeys(filter: TransferFilter, page: Page): (a: TransferKey, b: TransferKey) => number {
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
