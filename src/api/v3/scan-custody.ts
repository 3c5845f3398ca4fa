import type { CustodyKind } from '../../ton/contracts/custody/custody-state.ts';
import { readCustody } from '../entities/contracts/custody.ts';
import type { CustodyRow } from '../entities/contracts/custody-row.ts';
import type { CustodyFilter, CustodyOrder, CustodyPlace } from '../entities/contracts/plan-custody.ts';
import { CUSTODY, custodyPlace } from '../entities/contracts/plan-custody.ts';
import type { PlaceForm } from '../query/cursor.ts';
import type { Page } from '../query/page.ts';
import type { ReadScope } from '../query/scope.ts';
import { nextCursor, parseScan, type ScanValues, scannedScope } from './scan.ts';

type CustodyScope = ReadScope<'base' | 'contracts'>;

/** A page of contracts that hold coins for several accounts, by offset or by cursor, and `next_cursor`. */
export interface CustodyRows<K extends CustodyKind> {
  readonly rows: readonly CustodyRow<K>[];
  /** Scope of the page: related reads use the same moment. */
  readonly scope: CustodyScope;
  readonly next: { readonly next_cursor?: string };
}

/** Request for such a list. */
export interface CustodyRequest {
  readonly values: ScanValues;
  readonly page: Page;
  readonly order: CustodyOrder;
}

/** A page as a request asks for it. @throws HttpError 422, 503 */
export async function custodyPage<K extends keyof typeof CUSTODY>(
  fullScope: CustodyScope,
  filter: CustodyFilter & { readonly kind: K },
  { values, page, order }: CustodyRequest,
): Promise<CustodyRows<K>> {
  const form: PlaceForm<CustodyPlace> = CUSTODY[filter.kind];
  const scan = parseScan(form, values, page, fullScope.visible);
  const scope = scannedScope(fullScope, scan);
  const place = scan && { scan: { after: scan.after, descending: page.descending } };
  // Rows do not contain their first appearance: such a list is scanned by address.
  const scanned = scan && order === 'first' ? 'address' : order;
  const rows = await readCustody<K>(scope, { ...filter, ...place }, page, scanned);
  return { rows, scope, next: nextCursor(form, scan, page, rows.map(custodyPlace)) };
}
