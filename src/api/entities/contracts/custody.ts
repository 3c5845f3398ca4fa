import type { CustodyKind } from '../../../ton/contracts/custody/custody-state.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { tokenSource } from '../tokens/filter.ts';
import { type CustodyRow, custodyRow } from './custody-row.ts';
import { type CustodyFilter, type CustodyOrder, planCustody } from './plan-custody.ts';

export type CustodyScope = Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query' | 'context'>;

/** Contracts that hold coins for several accounts, a page of a kind. One query. */
export async function readCustody<K extends CustodyKind>(
  scope: CustodyScope,
  filter: CustodyFilter & { readonly kind: K },
  page: Page,
  order: CustodyOrder,
): Promise<readonly CustodyRow<K>[]> {
  return (await scope.query(planCustody(tokenSource(scope), filter, page, order))).map(custodyRow<K>);
}
