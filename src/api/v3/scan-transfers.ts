import { readTransfers, scanTransfers } from '../entities/transfers/find.ts';
import type { TransferKind, TransferRow } from '../entities/transfers/model.ts';
import type { TransferFilter, TransferPlace } from '../entities/transfers/plan.ts';
import { TRANSFERS, transferPlace } from '../entities/transfers/plan.ts';
import type { PlaceForm } from '../query/cursor.ts';
import type { Page } from '../query/page.ts';
import { type ReadScope, withVisible } from '../query/scope.ts';
import { nextCursor, parseScan, type ScanValues } from './scan.ts';

/** A page of a list of transfers, by offset or by cursor, and `next_cursor`. */
export interface TransfersPage {
  readonly rows: readonly TransferRow[];
  readonly next: { readonly next_cursor?: string };
}

/** A page of transfers as a request asks for it. @throws HttpError 422, 503 */
export async function transfersPage(
  scope: ReadScope<'base' | 'contracts'>,
  filter: TransferFilter,
  values: ScanValues,
  page: Page,
): Promise<TransfersPage> {
  const form: PlaceForm<TransferPlace> = TRANSFERS[filter.kind satisfies TransferKind];
  const scan = parseScan(form, values, page, scope.visible);
  if (!scan) return { rows: await readTransfers(scope, filter, page), next: {} };
  const { window, after, first } = scan;
  const newFrom = first > scope.visible.first ? first : null;
  const rows = window
    ? await scanTransfers(withVisible(scope, window), filter, page, { after, newFrom })
    : [];
  return { rows, next: nextCursor(form, scan, page, rows.map(transferPlace)) };
}
