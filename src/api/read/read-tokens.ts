import { type AccountId, distinctAccounts } from './account-id.ts';
import { parts } from './key-lists.ts';
import type { Page } from './page.ts';
import { planTokens, type TokenFilter, type TokenOrder } from './plan-tokens.ts';
import type { ReadScope } from './read-scope.ts';
import { type TokenKind, type TokenRow, tokenRow } from './token-row.ts';

type ContractScope = Pick<ReadScope<'contracts'>, 'databases' | 'visible' | 'query'>;

/** Token contracts of a filter, a page of them. One query. */
export async function readTokens(
  scope: ContractScope,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Promise<readonly TokenRow[]> {
  const source = { database: scope.databases.contracts, visible: scope.visible };
  return (await scope.query(planTokens(source, filter, page, order))).map(tokenRow);
}

/** Those among accounts that are token contracts of a kind. One query, more only for thousands of accounts. */
export async function readTokensOf(
  scope: ContractScope,
  kind: TokenKind,
  accounts: readonly AccountId[],
): Promise<readonly TokenRow[]> {
  const distinct = distinctAccounts(accounts);
  if (distinct.length === 0) return [];
  const pages = parts(distinct).map((addresses) => {
    const page = { limit: addresses.length, offset: 0, descending: false };
    return readTokens(scope, { kind, addresses }, page, 'address');
  });
  return (await Promise.all(pages)).flat();
}
