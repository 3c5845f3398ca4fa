import { type AccountId, distinctAccounts, rawAddress } from './account-id.ts';
import { parts } from './key-lists.ts';
import type { Page } from './page.ts';
import {
  type CandidateOrder,
  planCandidates,
  planTokens,
  type TokenCandidate,
  type TokenFilter,
  type TokenOrder,
} from './plan-tokens.ts';
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

/** Candidates beyond the rows of a page: some are no tokens any more. */
const SPARE = 20;
/** Candidates of one statement. */
const MOST_CANDIDATES = 1_000;

/**
 * Token contracts behind a scan's place as of the visible range, a page of them. What no account narrows is read from an
 * index from the place on; else what the accounts own is sorted for each page.
 */
export async function scanTokens(
  scope: ContractScope,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Promise<readonly TokenRow[]> {
  const isNarrow = (filter.addresses ?? []).length > 0 || (filter.owners ?? []).length > 0;
  if (isNarrow || (order !== 'first' && order !== 'address')) return readTokens(scope, filter, page, order);
  const source = { database: scope.databases.contracts, visible: scope.visible };
  const found: TokenRow[] = [];
  let after = filter.after ?? null;
  for (;;) {
    const count = Math.min(MOST_CANDIDATES, page.limit - found.length + SPARE);
    const rows = await scope.query(planCandidates(source, { ...filter, after }, order, count));
    const candidates = rows.map(candidate);
    found.push(...(await ofCandidates(scope, filter, candidates, order)));
    const last = candidates.at(-1);
    if (found.length >= page.limit || candidates.length < count || !last) return found.slice(0, page.limit);
    after = { ...NOWHERE, since: last.seen, account: last.account.hash, workchain: last.account.workchain };
  }
}

/** What the orders of candidates do not look at. */
const NOWHERE = { lt: '0', amount: '0', parent: '' };

function candidate([seen, hash, workchain]: readonly unknown[]): TokenCandidate {
  return { seen: Number(seen), account: { workchain: Number(workchain), hash: String(hash) } };
}

/** Those of the candidates that the list has, in its order. */
async function ofCandidates(
  scope: ContractScope,
  filter: TokenFilter,
  candidates: readonly TokenCandidate[],
  order: CandidateOrder,
): Promise<readonly TokenRow[]> {
  if (candidates.length === 0) return [];
  const addresses = distinctAccounts(candidates.map(({ account }) => account));
  const all = { limit: addresses.length, offset: 0, descending: false };
  const { after: _, ...plain } = filter;
  const rows = await readTokens(scope, { ...plain, addresses }, all, order);
  if (order === 'address') return rows;
  // One that was seen anew under another code stands where it was seen first.
  const seen = new Set(candidates.map((one) => `${rawAddress(one.account)} ${one.seen}`));
  return rows.filter(({ address, since }) => seen.has(`${address} ${since}`));
}
