import { type AccountId, distinctAccounts, rawAddress } from '../../query/account-id.ts';
import { accountCondition, KEYS_PER_PARAMETER, parts } from '../../query/key-lists.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { TokenFilter, TokenSource } from './filter.ts';
import { namedByParents } from './known-parents.ts';
import type { ListedToken, TokenKind } from './model.ts';
import { byTable, cachedTokens, type NewestScope, readNewestTokens } from './newest.ts';
import { compareTokens, isBehind } from './order.ts';
import type { TokenList } from './plan.ts';

/**
 * A page of few tokens: of some accounts, or of owners with few, by simple statements whose rows are chosen and sorted
 * here. Null if there are many, or a state above the visible range hides another one.
 */
export async function readFewTokens(
  scope: NewestScope,
  source: TokenSource,
  { filter, page, order }: TokenList,
): Promise<readonly ListedToken[] | null> {
  const { owners = [], addresses = [] } = filter;
  const isFew = owners.length > 0 || addresses.length > 0;
  if (filter.isSoldToo || !isFew) return null;
  const accounts = owners.length > 0 ? await ownedBy(scope, source, filter) : addresses;
  if (accounts === null || accounts.length > KEYS_PER_PARAMETER) return null;
  if (accounts.length === 0) return [];
  const newest = await readNewestTokens(scope, source, [filter.kind], accounts);
  if (!newest) return null;
  const isWanted = matcher(filter);
  const isAfter = isBehind(order, page, filter.after);
  const chosen = newest.filter((token) => isWanted(token) && isAfter(token));
  const wanted = await namedByParents(scope, source, chosen);
  return [...wanted].sort(compareTokens(order, page)).slice(page.offset, page.offset + page.limit);
}

/**
 * Tokens of some kinds among accounts, unordered; null if a state above the visible range hides another one.
 * `isListed`: rows of a list, which are always read; others may be cached.
 */
export async function readTokensAmong(
  scope: NewestScope,
  source: TokenSource,
  { kinds, accounts, isListed }: TokensAmong,
): Promise<readonly ListedToken[] | null> {
  const { tokens, unknown } = isListed
    ? { tokens: [], unknown: accounts }
    : cachedTokens(scope, source, accounts);
  const read = unknown.length === 0 ? [] : parts(unknown);
  const newest = await Promise.all(read.map((some) => readNewestTokens(scope, source, kinds, some)));
  if (newest.some((rows) => rows === null)) return null;
  const known = tokens.filter(({ kind }) => kinds.includes(kind));
  const found = [...known, ...newest.flatMap((rows) => rows ?? [])].sort(byTable);
  return namedByParents(scope, source, found);
}

/** Tokens that are asked for among accounts. */
export interface TokensAmong {
  readonly kinds: readonly TokenKind[];
  readonly accounts: readonly AccountId[];
  readonly isListed: boolean;
}

/** Accounts that owners own or owned, one row more than a statement takes if there are many. */
async function ownedBy(scope: NewestScope, source: TokenSource, { kind, owners = [] }: TokenFilter) {
  const rows = await scope.query(planOwned(source, kind, owners));
  const accounts = rows.map(
    ([workchain, hash]): AccountId => ({ workchain: Number(workchain), hash: String(hash) }),
  );
  return rows.length > KEYS_PER_PARAMETER ? null : distinctAccounts(accounts);
}

/** An account that came to an owner twice is there twice, which is cheaper than looking for it. */
function planOwned(
  { database, visible }: TokenSource,
  kind: TokenKind,
  owners: readonly AccountId[],
): Statement {
  const conditions = accountCondition(owners, new Conditions(), ['owner', 'owner_workchain'])
    .add(`kind = '${kind}'`)
    .add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  return conditions.statement(
    `SELECT workchain, hex(account) FROM ${database}.tokens_by_owner PREWHERE ${conditions.text} LIMIT ${KEYS_PER_PARAMETER + 1}`,
  );
}

/** Whether a token is one that a filter takes. */
export function matcher({
  addresses = [],
  owners = [],
  parents = [],
  amounts = [],
  isAboveZero = false,
}: TokenFilter): (token: ListedToken) => boolean {
  const [byAddress, byOwner, byParent] = [addresses, owners, parents].map(toSet);
  const byAmount = amounts.length > 0 ? new Set(amounts) : null;
  const has = (set: ReadonlySet<string> | null | undefined, value: string | null) =>
    !set || (value !== null && set.has(value));
  return ({ address, owner, parent, amount }) =>
    has(byAddress, address) &&
    has(byOwner, owner) &&
    has(byParent, parent) &&
    has(byAmount, amount) &&
    (!isAboveZero || amount !== '0');
}

/** Null for the empty list, which is no filter. */
function toSet(accounts: readonly AccountId[]): ReadonlySet<string> | null {
  return accounts.length > 0 ? new Set(accounts.map(rawAddress)) : null;
}
