import type { TokenFilter } from '../entities/tokens/filter.ts';
import { readTokens } from '../entities/tokens/find.ts';
import type { TokenKind, TokenRow } from '../entities/tokens/model.ts';
import {
  isByOwner,
  OWNED_TOKENS,
  TOKENS,
  type TokenOrder,
  type TokenPlace,
  tokenPlace,
} from '../entities/tokens/order.ts';
import type { PlaceForm } from '../query/cursor.ts';
import type { Page } from '../query/page.ts';
import { type ReadScope, withVisible } from '../query/scope.ts';
import { nextCursor, parseScan, type ScanValues } from './scan.ts';

/** A page of a list of token contracts, by offset or by cursor, and `next_cursor`. */
export interface TokensPage {
  readonly rows: readonly TokenRow[];
  readonly next: { readonly next_cursor?: string };
}

/** Request for a list of token contracts. */
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
  const form = getForm(filter.kind, order);
  const scan = parseScan(form, values, page, scope.visible);
  if (!scan) return { rows: await readTokens(scope, filter, page, order), next: {} };
  const scanned = withVisible(scope, scan.window ?? scope.visible);
  const rows = await readTokens(scanned, { ...filter, after: scan.after }, page, order);
  return { rows, next: nextCursor(form, scan, page, rows.map(toPlace)) };

  function toPlace(row: TokenRow): TokenPlace {
    return tokenPlace(row, order);
  }
}

function getForm(kind: TokenKind, order: TokenOrder): PlaceForm<TokenPlace> {
  const isOwned = isByOwner(order) && (kind === 'jetton_wallet' || kind === 'nft_item');
  return isOwned ? OWNED_TOKENS[kind] : TOKENS[kind];
}
