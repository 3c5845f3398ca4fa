import type { CustodyKind } from '../../ton/contracts/custody-state.ts';
import { HttpError } from '../http/http-error.ts';
import { type CustodyRow, custodyRow } from './custody-row.ts';
import type { Page } from './page.ts';
import { type CustodyFilter, type CustodyOrder, planCustody } from './plan-custody.ts';
import type { ReadScope } from './read-scope.ts';

export type CustodyScope = Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query' | 'context'>;

/** Version 1 of `contracts` has none of them. @throws HttpError 503 */
export function needCustody({ context, databases }: CustodyScope): void {
  const tables = context.tablesOf?.(databases.contracts);
  if (tables && !Object.hasOwn(tables.contract_states ?? {}, 'child_code'))
    throw new HttpError(503, 'this version of contracts has no multisigs and pools: replay contracts');
}

/** Contracts that hold coins for several accounts, a page of a kind. One query. @throws HttpError 503 */
export async function readCustody<K extends CustodyKind>(
  scope: CustodyScope,
  filter: CustodyFilter & { readonly kind: K },
  page: Page,
  order: CustodyOrder,
): Promise<readonly CustodyRow<K>[]> {
  needCustody(scope);
  const source = { database: scope.databases.contracts, visible: scope.visible };
  return (await scope.query(planCustody(source, filter, page, order))).map(custodyRow<K>);
}
