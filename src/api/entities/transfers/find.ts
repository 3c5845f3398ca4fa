import { rawAddress } from '../../query/account-id.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type TokenScope, tokenSource } from '../tokens/find.ts';
import { namedByParents } from '../tokens/known-parents.ts';
import { chooseTransfers, firstKeys, type KeyedTransfers, planTransfersByKey } from './by-key.ts';
import { type TransferRow, transferRows } from './model.ts';
import {
  isByAccount,
  planTransferFloor,
  planTransferKeys,
  planTransfers,
  type TransferFilter,
  type TransferPlace,
  type TransfersAmong,
} from './plan.ts';
import { confirmTransfers, receiverKind } from './read-confirmed.ts';

/** Factor of the next read where filters left too few of the keys. */
const MORE = 8;
/** Rows beyond a page: some are not named by a parent. */
const OVERFETCH = 20;
/** Keys of one statement: some 90 bytes each in its parameters, of which the server takes 128 KiB. */
const MAX_KEYS = 1_000;

/**
 * Transfers of a filter, a page of them. With accounts: keys from the index, then their rows, more only if the index
 * lacks a filter and its first keys held too few. One query more for uncached parents.
 */
export async function readTransfers(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  if (!isByAccount(filter)) return readOfAll(scope, filter, page);
  const source = tokenSource(scope);
  const wanted = page.limit + page.offset;
  // The pages of a scan are as of steps of their own.
  const isNamed = filter.scan !== undefined;
  const found: TransferRow[] = [];
  for (let at = 0, count = wanted + OVERFETCH; found.length < wanted; at += count, count *= MORE) {
    const part = { ...page, offset: at, limit: count };
    const keys = firstKeys(await scope.query(planTransferKeys(source, filter, part)), filter, part);
    for (let from = 0; from < keys.length && found.length < wanted; from += MAX_KEYS) {
      const some = keys.slice(from, from + MAX_KEYS);
      const read = await readKeyed(scope, { source, filter, page, keys: some }, isNamed);
      found.push(...(await filterDetected(scope, filter, read, isNamed)));
    }
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/**
 * A page of a list without accounts. The codes of all parents are a long list: it is read only if a few spare rows do
 * not replace those without a naming parent, if many rows would be sent, or for the steps of a scan.
 */
async function readOfAll(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  const wanted = page.limit + page.offset;
  if (!filter.scan && wanted <= MAX_KEYS) {
    const first = { ...page, offset: 0, limit: wanted + OVERFETCH };
    const rows = await readRows(scope, filter, first, { keys: null, isNamed: false });
    const named = await filterDetected(scope, filter, rows, false);
    if (named.length >= wanted || rows.length < first.limit) return named.slice(page.offset, wanted);
  }
  const rows = await readRows(scope, filter, page, { keys: null, isNamed: true });
  return filterDetected(scope, filter, rows, true);
}

/** Rows of keys. `isNamed`: the store leaves out those that no parent names, by the codes of all parents that there are. */
async function readKeyed(
  scope: TokenScope,
  keyed: KeyedTransfers,
  isNamed: boolean,
): Promise<readonly TransferRow[]> {
  const { source, filter, page, keys } = keyed;
  const all = { ...page, limit: keys.length, offset: 0 };
  if (isNamed) return readRows(scope, filter, all, { keys, isNamed });
  const rows = transferRows(await scope.queryBytes(planTransfersByKey(source, filter, keys)));
  return chooseTransfers(rows, keyed);
}

async function readRows(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
  among: TransfersAmong,
): Promise<readonly TransferRow[]> {
  return transferRows(await scope.queryBytes(planTransfers(tokenSource(scope), filter, page, among)));
}

/**
 * Rows of wallets or items that their parents name, or that were detected (one query more if there may be such).
 * `isNamed`: the store omitted the others.
 */
async function filterDetected(
  scope: TokenScope,
  { kind, parents = [] }: TransferFilter,
  rows: readonly TransferRow[],
  isNamed: boolean,
): Promise<readonly TransferRow[]> {
  const source = tokenSource(scope);
  const children = rows.map((row) => ({ ...row, kind: receiverKind(kind) }));
  const known = isNamed
    ? children.filter(({ parent }) => parent !== null)
    : await namedByParents(scope, source, children);
  if (known.length === rows.length) return known;
  const named = new Set(known);
  const open = children.filter((row) => !named.has(row));
  const confirmed = await confirmTransfers(scope, source, kind, open);
  const wanted = new Set(parents.map(rawAddress));
  return children.flatMap((row) => {
    if (named.has(row)) return [row];
    const detected = confirmed.get(row);
    return detected && (wanted.size === 0 || wanted.has(detected.parent ?? '')) ? [detected] : [];
  });
}

/** One page of a scan; the scope sees only its steps. `newFrom`: as in TransferScan. */
export async function scanTransfers(
  scope: Pick<ReadScope<'base' | 'contracts'>, keyof TokenScope>,
  filter: TransferFilter,
  page: Page,
  { after, newFrom }: { readonly after: TransferPlace | null; readonly newFrom: number | null },
): Promise<readonly TransferRow[]> {
  const scanned = { ...filter, scan: { after, descending: page.descending, newFrom } };
  if (newFrom === null || after) return readTransfers(scope, scanned, page);
  const [[floor] = ['0']] = await scope.query(
    planTransferFloor(tokenSource(scope), scope.databases.base, filter.kind),
  );
  const { startLt = '0' } = filter;
  const least = BigInt(startLt) > BigInt(String(floor)) ? startLt : String(floor);
  return readTransfers(scope, { ...scanned, startLt: least }, page);
}
