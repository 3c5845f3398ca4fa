import type { Page } from './page.ts';
import {
  isByAccount,
  planTransferFloor,
  planTransferKeys,
  planTransfers,
  type TransferFilter,
  type TransferPlace,
} from './plan-transfers.ts';
import type { ReadScope } from './read-scope.ts';
import { type TransferRow, transferRow } from './transfer-row.ts';

/** Factor of the next read where filters left too few of the keys. */
const MORE = 8;
/** Keys of one statement: some 90 bytes each in its parameters, of which the server takes 128 KiB. */
const MOST_KEYS = 1_000;

/**
 * Transfers of a filter, a page of them. One query where no account narrows the list; else keys from the index, then their
 * rows, more only where the index cannot tell all filters and its first keys held too few.
 */
export async function readTransfers(
  scope: Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query'>,
  filter: TransferFilter,
  page: Page,
): Promise<readonly TransferRow[]> {
  const source = { database: scope.databases.contracts, visible: scope.visible };
  if (!isByAccount(filter))
    return (await scope.query(planTransfers(source, filter, page, null))).map(transferRow);
  const wanted = page.limit + page.offset;
  const found: TransferRow[] = [];
  for (let at = 0, count = wanted + 20; found.length < wanted; at += count, count *= MORE) {
    const rows = await scope.query(planTransferKeys(source, filter, { ...page, offset: at, limit: count }));
    const keys = rows.map(([lt, account]) => ({ lt: String(lt), account: String(account) }));
    for (let from = 0; from < keys.length && found.length < wanted; from += MOST_KEYS) {
      const some = keys.slice(from, from + MOST_KEYS);
      const all = { ...page, limit: some.length, offset: 0 };
      found.push(...(await scope.query(planTransfers(source, filter, all, some))).map(transferRow));
    }
    if (keys.length < count) break;
  }
  return found.slice(page.offset, wanted);
}

/** One page of a scan; the scope sees its steps alone. `newFrom`: as in TransferScan. */
export async function scanTransfers(
  scope: Pick<ReadScope<'base' | 'contracts'>, 'databases' | 'visible' | 'query'>,
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
