import type { Page } from '../read/page.ts';
import type { TokenFilter, TokenOrder } from '../read/plan-tokens.ts';
import { type ReadScope, withVisible } from '../read/read-scope.ts';
import { readTokens, scanTokens } from '../read/read-tokens.ts';
import type { TokenRow } from '../read/token-row.ts';
import { TOKEN_PLACES, tokenPlace } from './places.ts';
import { nextCursor, type ScanValues, scanOf } from './scan.ts';

/** A page of a list of token contracts, by offset or by cursor, and `next_cursor`. */
export interface TokensPage {
  readonly rows: readonly TokenRow[];
  readonly next: { readonly next_cursor?: string };
}

/** What a list of token contracts is asked for by. */
export interface TokensRequest {
  readonly values: ScanValues;
  readonly page: Page;
  readonly order: TokenOrder;
}

/** A page of token contracts as a request asks for it. @throws HttpError 422, 503 */
export async function tokensPage(
  scope: ReadScope<'contracts'>,
  filter: TokenFilter,
  { values, page, order }: TokensRequest,
): Promise<TokensPage> {
  const form = TOKEN_PLACES[filter.kind];
  const scan = scanOf(form, values, page, scope.visible);
  if (!scan) return { rows: await readTokens(scope, filter, page, order), next: {} };
  const scanned = withVisible(scope, scan.window ?? scope.visible);
  const rows = await scanTokens(scanned, { ...filter, after: scan.after }, page, scanOrder(filter, order));
  return { rows, next: nextCursor(form, scan, page, rows.map(tokenPlace)) };
}

/** What one master or collection has is scanned by address, as its index is: any other order would sort all of it for each page. */
function scanOrder(filter: TokenFilter, order: TokenOrder): TokenOrder {
  const { addresses = [], owners = [], parents = [], amounts = [] } = filter;
  const isOfParent = parents.length > 0 && [owners, addresses, amounts].every(({ length }) => length === 0);
  return isOfParent && (order === 'first' || order === 'index') ? 'address' : order;
}
