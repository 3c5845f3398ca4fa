import { type AccountId, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { parts } from '../../query/key-lists.ts';
import { metaTable } from '../../query/meta-tables.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { TokenFilter, TokenSource } from './filter.ts';
import { type ListedToken, type TokenKind, type TokenRow, tokenRows } from './model.ts';
import { compareTokens, type TokenOrder } from './order.ts';
import {
  planCandidates,
  planHiddenTokens,
  planTokens,
  planTokensAt,
  type TokenCandidate,
  type TokenList,
} from './plan.ts';
import { detectionsDatabase, readDetected, readDetectedAmong, withDetected } from './read-detected.ts';
import { matcher, readFewTokens, readTokensAmong, type TokensAmong } from './read-listed-tokens.ts';
import { readRankedTokens } from './read-ranked-tokens.ts';

/** Scope that token contracts are read from. */
export type TokenScope = Pick<
  ReadScope<'contracts'>,
  'databases' | 'visible' | 'query' | 'queryBytes' | 'context' | 'share'
>;

/** The served version of the projection `contracts`. */
export type ContractsSource = NonNullable<ReadScope['added']['contracts']>;

/** The scope of tokens that accompany another scope. */
export function addedTokens(
  { query, queryBytes, context, share }: Pick<ReadScope<never>, 'query' | 'queryBytes' | 'context' | 'share'>,
  { database, visible }: ContractsSource,
): TokenScope {
  return { databases: { contracts: database }, visible, query, queryBytes, context, share };
}

/** Token contracts of a filter, a page of them: from cells and from detection. */
export async function readTokens(
  scope: TokenScope,
  filter: TokenFilter,
  page: Page,
  order: TokenOrder,
): Promise<readonly TokenRow[]> {
  const source = tokenSource(scope);
  const list = { filter, page, order };
  const [known, detected] = await Promise.all([
    readKnown(scope, source, list),
    readDetected(scope, source, list),
  ]);
  if (detected.length === 0) return known;
  // The two lists are one from its first row on.
  const end = page.limit + page.offset;
  const first = { ...page, limit: end, offset: 0 };
  const all = page.offset === 0 ? known : await readKnown(scope, source, { ...list, page: first });
  return [...withDetected(all, detected)].sort(compareTokens(order, page)).slice(page.offset, end);
}

/** Those among accounts that are token contracts of some kinds. */
export async function readTokensOfAccounts(
  scope: TokenScope,
  kinds: TokenKind | readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly TokenRow[]> {
  const distinct = distinctAccounts(accounts);
  if (distinct.length === 0) return [];
  const source = tokenSource(scope);
  const wanted = typeof kinds === 'string' ? [kinds] : kinds;
  const [known, detected] = await Promise.all([
    readKnownAmong(scope, source, { kinds: wanted, accounts: distinct, isListed: false }),
    readDetectedAmong(scope, source, wanted, distinct),
  ]);
  return withDetected(known, detected);
}

/** Tables and range that a scope's tokens are read from. */
export function tokenSource({
  databases,
  visible,
  context,
}: Pick<TokenScope, 'databases' | 'visible' | 'context'>): TokenSource {
  const database = databases.contracts;
  const detected = detectionsDatabase(context);
  return {
    database,
    visible,
    detected,
    confirmed: detected && `${detected}.confirmed_tokens`,
    claims: metaTable(context, 'mintless_amounts'),
    detectedSales: detected && `${detected}.detected_contracts`,
  };
}

async function readKnownAmong(
  scope: TokenScope,
  source: TokenSource,
  among: TokensAmong,
): Promise<readonly ListedToken[]> {
  const { kinds, accounts } = among;
  if (accounts.length === 0) return [];
  const few = await readTokensAmong(scope, source, among);
  if (few) return few;
  const lists = kinds.flatMap((kind) =>
    parts(accounts).map((addresses) => {
      const page = { limit: addresses.length, offset: 0, descending: false };
      return readKnown(scope, source, { filter: { kind, addresses }, page, order: 'address' });
    }),
  );
  return (await Promise.all(lists)).flat();
}

/** Tokens of a list from cells. */
async function readKnown(
  scope: TokenScope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly ListedToken[]> {
  const few = await readFewTokens(scope, source, list);
  if (few) return few;
  const first = isByFirst(list) ? await readByFirst(scope, source, list) : null;
  if (first) return first;
  const { kind } = list.filter;
  const isWanted = matcher(list.filter);
  const among = async (accounts: readonly AccountId[]) =>
    (await readKnownAmong(scope, source, { kinds: [kind], accounts, isListed: true })).filter(isWanted);
  const ranked = await readRankedTokens(scope, source, list, among);
  if (ranked) return ranked;
  const latest = await readLatest(scope, source, list);
  return latest ?? tokenRows(await scope.queryBytes(planTokensAt(source, list)));
}

/** A page by the newest states; null if one above the visible range hides another one. */
async function readLatest(
  scope: TokenScope,
  source: TokenSource,
  list: TokenList,
): Promise<readonly ListedToken[] | null> {
  const rows = tokenRows(await scope.queryBytes(planTokens(source, list)));
  if (rows.some(({ mcSeqno }) => mcSeqno > source.visible.last)) return null;
  const isHidden = list.page.offset > 0 && (await scope.query(planHiddenTokens(source, list))).length > 0;
  return isHidden ? null : rows;
}

/** Whether a list is read from an index in the order in which its tokens were first seen. */
function isByFirst({ filter, order }: TokenList): boolean {
  const { owners = [], addresses = [], parents = [], amounts = [], isAboveZero = false, after } = filter;
  const isWide = [owners, addresses, amounts].every(({ length }) => length === 0);
  // Without a parent the first rows are one statement, if all of them are in the list.
  const isOfIndex = parents.length === 1 || (parents.length === 0 && (isAboveZero || after !== undefined));
  return order === 'first' && isWide && isOfIndex;
}

/** Candidates beyond the rows of a page: some are no tokens any more. */
const OVERFETCH = 20;
/** Spare candidates whose states are read with the page. */
const EXTRA = 4;
/** Candidates of one statement. */
const MAX_CANDIDATES = 1_000;
/** Rounds after which an unfilled page is given up: nearly all wallets are empty, and one statement reads them all. */
const MAX_ROUNDS = 20;

/** A page of a list by first appearance: candidates of an index, filtered by the list. */
async function readByFirst(
  scope: TokenScope,
  source: TokenSource,
  { filter, page }: TokenList,
): Promise<readonly ListedToken[] | null> {
  const wanted = page.offset + page.limit;
  const found: ListedToken[] = [];
  let after = filter.after ?? null;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const count = Math.min(MAX_CANDIDATES, (wanted - found.length) * 2 + OVERFETCH);
    const rows = await scope.query(planCandidates(source, { ...filter, after }, count));
    const candidates = rows.map(candidate);
    // Nearly all candidates are in a list without a bound of the balance: states of spare ones are read where some are not.
    const first = round === 0 && !filter.isAboveZero ? wanted + EXTRA : candidates.length;
    for (const some of [candidates.slice(0, first), candidates.slice(first)]) {
      found.push(...(await ofCandidates(scope, source, filter, some)));
      if (found.length >= wanted) return found.slice(page.offset, wanted);
    }
    const last = candidates.at(-1);
    if (candidates.length < count || !last) return found.slice(page.offset, wanted);
    after = { ...LOWEST, since: last.seen, account: last.account.hash, workchain: last.account.workchain };
  }
  return null;
}

/** Fields that the order does not look at. */
const LOWEST = { lt: '0', amount: '0', parent: '' };

function candidate([seen, hash, workchain]: readonly unknown[]): TokenCandidate {
  return { seen: Number(seen), account: { workchain: Number(workchain), hash: String(hash) } };
}

/** Candidates of the list, in its order. */
async function ofCandidates(
  scope: TokenScope,
  source: TokenSource,
  { after: _, ...filter }: TokenFilter,
  candidates: readonly TokenCandidate[],
): Promise<readonly ListedToken[]> {
  if (candidates.length === 0) return [];
  const addresses = distinctAccounts(candidates.map(({ account }) => account));
  const page = { limit: addresses.length, offset: 0, descending: false };
  const rows = await readKnown(scope, source, { filter: { ...filter, addresses }, page, order: 'first' });
  // One that appeared again under another code keeps its first position.
  const seen = new Set(candidates.map((one) => `${rawAddress(one.account)} ${one.seen}`));
  return rows.filter(({ address, since }) => seen.has(`${address} ${since}`));
}
