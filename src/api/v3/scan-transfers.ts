import type { TransferFilter } from '../entities/transfers/filter.ts';
import { TRANSFERS, transferPlace } from '../entities/transfers/filter.ts';
import { readTransfers, scanTransfers } from '../entities/transfers/find.ts';
import type { Page } from '../query/page.ts';
import type { ReadScope } from '../query/scope.ts';
import { type ScanValues, scannedPage } from './scan.ts';

/** A page of transfers as a request asks for it. @throws HttpError 422, 503 */
export async function transfersPage(
  scope: ReadScope<'base' | 'contracts'>,
  filter: TransferFilter,
  values: ScanValues,
  page: Page,
) {
  const places = { form: TRANSFERS[filter.kind], toPlace: transferPlace };
  return scannedPage(scope, places, { values, page }, async (scanned, scan) => {
    if (!scan) return readTransfers(scanned, filter, page);
    const newFrom = scan.first > scope.visible.first ? scan.first : null;
    return scanTransfers(scanned, filter, page, { after: scan.after, newFrom });
  });
}
