import { readCustody } from '../entities/contracts/custody.ts';
import {
  CUSTODY,
  type CustodyFilter,
  type CustodyOrder,
  custodyPlace,
} from '../entities/contracts/plan-custody.ts';
import type { Page } from '../query/page.ts';
import type { ReadScope } from '../query/scope.ts';
import { type ScanValues, scannedPage } from './scan.ts';

/** Request for a list of contracts that hold coins for several accounts. */
export interface CustodyRequest {
  readonly values: ScanValues;
  readonly page: Page;
  readonly order: CustodyOrder;
}

/** A page of such a list as a request asks for it. @throws HttpError 422, 503 */
export async function custodyPage<K extends keyof typeof CUSTODY>(
  scope: ReadScope<'base' | 'contracts'>,
  filter: CustodyFilter & { readonly kind: K },
  { values, page, order }: CustodyRequest,
) {
  const places = { form: CUSTODY[filter.kind], toPlace: custodyPlace };
  return scannedPage(scope, places, { values, page }, (scanned, scan) => {
    const place = scan && { scan: { after: scan.after, descending: page.descending } };
    // Rows do not contain their first appearance: such a list is scanned by address.
    const listed = scan && order === 'first' ? 'address' : order;
    return readCustody<K>(scanned, { ...filter, ...place }, page, listed);
  });
}
