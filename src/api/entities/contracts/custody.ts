import type { CustodyKind } from '../../../ton/contracts/custody-state.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { detectedTables } from '../tokens/read-detected.ts';
import { type CustodyRow, custodyRow } from './custody-row.ts';
import { type CustodyFilter, type CustodyOrder, planCustody } from './plan-custody.ts';

export type CustodyScope = Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query' | 'context'>;

/** Whether a version of `contracts` has them: version 1 has not. */
export function hasCustody(context: Pick<CustodyScope['context'], 'getTables'>, database: string): boolean {
  const tables = context.getTables?.(database);
  return !tables || Object.hasOwn(tables.contract_states ?? {}, 'child_code');
}

/** @throws HttpError 503: the version of `contracts` that is served has none of them */
export function needCustody({ context, databases }: CustodyScope): void {
  if (!hasCustody(context, databases.contracts))
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
  const { databases, visible, context } = scope;
  const source = { database: databases.contracts, visible, detectedTables: detectedTables(context) };
  return (await scope.query(planCustody(source, filter, page, order))).map(custodyRow<K>);
}
