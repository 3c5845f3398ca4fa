import { namedByParents } from './known-parents.ts';
import type { Page } from './page.ts';
import {
  isByAccount,
  planTransferFloor,
  planTransferKeys,
  planTransfers,
  type TransferFilter,
  type TransferKey,
  type TransferPlace,
} from './plan-transfers.ts';
import type { ReadScope } from './read-scope.ts';
import { type TokenScope, tokenSource } from './read-tokens.ts';
import { type TransferRow, transferRow } from './transfer-row.ts';

/** Factor of the next read where filters left too few of the keys. */
const MORE = 8;
/** Keys of one statement: some 90 bytes each in its parameters, of which the server takes 128 KiB. */
const MOST_KEYS = 1_000;

/**
 * Transfers of a filter, a page of them. Where accounts narrow the list: keys from the index, then their rows, more only
 * where the index cannot tell all filters and its first keys held too few. One query more for parents that are not in memory.
 */
export async function readTransfers(
  scope: TokenScope,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  const source = tokenSource(scope);
  const wanted = page.limit + page.offset;
  const child = filter.kind === 'nft_transfer' ? 'nft_item' : 'jetton_wallet';
  const read = async (some: Page, keys: readonly TransferKey[] | null) =>
    (await scope.query(planTransfers(source, filter, some, keys))).map(transferRow);
  if (!isByAccount(filter)) return read(page, null);
  const found: TransferRow[] = [];
  for (let at = 0, count = wanted + 20; found.length < wanted; at += count, count *= MORE) {
    const rows = await scope.query(planTransferKeys(source, filter, { ...page, offset: at, limit: count }));
    const keys = rows.map(([lt, account]) => ({ lt: String(lt), account: String(account) }));
    for (let from = 0; from < keys.length && found.length < wanted; from += MOST_KEYS) {
      const some = keys.slice(from, from + MOST_KEYS);
      const all = { ...page, limit: some.length, offset: 0 };
      const children = (await read(all, some)).map((row) => ({ ...row, kind: child }) as const);
      found.push(...(filter.scan ? children : await namedByParents(scope, source, children)));
    }
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/** One page of a scan; the scope sees its steps alone. `newFrom`: as in TransferScan. */
export async function scanTransfers(
  scope: Pick<ReadScope<'base' | 'contracts'>, 'databases' | 'visible' | 'query' | 'context'>,
  filter: TransferFilter,
  page: Page,
  { after, newFrom }: { readonly after: TransferPlace | null; readonly newFrom: number | null },
): Promise<readonly TransferRow[]> {
  const scanned = { ...filter, scan: { after, descending: page.descending, newFrom } };
  if (newFrom === null || after) return readTransfers(scope, scanned, page);
  const [[floor] = ['0']] = await scope.query(planTransferFloor(scope.databases, filter.kind, scope.visible));
  const { startLt = '0' } = filter;
  const least = BigInt(startLt) > BigInt(String(floor)) ? startLt : String(floor);
  return readTransfers(scope, { ...scanned, startLt: least }, page);
}
