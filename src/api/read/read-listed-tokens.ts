import { type AccountId, rawAddress } from './account-id.ts';
import { accountCondition, accountParams, accountSet, KEYS_PER_PARAMETER, parts } from './key-lists.ts';
import { namedByParents } from './known-parents.ts';
import type { TokenList } from './plan-tokens.ts';
import type { RawRow, ReadScope } from './read-scope.ts';
import { Conditions, type Statement } from './statement.ts';
import type { TokenFilter, TokenSource } from './token-filter.ts';
import { compareTokens, isBehind } from './token-order.ts';
import { type ListedToken, TOKEN_SELECT, type TokenKind, tokenRow } from './token-row.ts';

type Scope = Pick<ReadScope<never>, 'query'>;

/**
 * A page of few tokens: those of some accounts, or of owners who have had few, by simple statements whose rows are chosen and
 * sorted here. Null where there are many, or where a state above the visible range hides another one.
 */
export async function readFewTokens(
  scope: Scope,
  source: TokenSource,
  { filter, page, order }: TokenList,
): Promise<readonly ListedToken[] | null> {
  const { owners = [], addresses = [] } = filter;
  const isFew = owners.length > 0 || addresses.length > 0;
  if (!source.hasLatest || filter.isSoldToo || !isFew) return null;
  const accounts = owners.length > 0 ? await ownedBy(scope, source, filter) : addresses;
  if (accounts.length > KEYS_PER_PARAMETER) return null;
  if (accounts.length === 0) return [];
  const newest = await readNewest(scope, source, [filter.kind], accounts);
  if (!newest) return null;
  const isWanted = matcher(filter);
  const isAfter = isBehind(order, page, filter.after);
  const chosen = newest.filter((token) => isWanted(token) && isAfter(token));
  const wanted = await namedByParents(scope, source, chosen);
  return [...wanted].sort(compareTokens(order, page)).slice(page.offset, page.offset + page.limit);
}

/** Tokens of some kinds among accounts, in no order; null where a state above the visible range hides another one. */
export async function readTokensAmong(
  scope: Scope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[] | null> {
  if (!source.hasLatest) return null;
  const newest = await Promise.all(parts(accounts).map((some) => readNewest(scope, source, kinds, some)));
  if (newest.some((rows) => rows === null)) return null;
  return namedByParents(
    scope,
    source,
    newest.flatMap((rows) => rows ?? []),
  );
}

/** Accounts that owners own or owned, one more than a statement takes where there are many. */
async function ownedBy(scope: Scope, { database, visible }: TokenSource, { kind, owners = [] }: TokenFilter) {
  const rows = await scope.query({
    sql: `SELECT DISTINCT workchain, hex(account) FROM ${database}.tokens_by_owner WHERE (owner, owner_workchain) IN ${accountSet('owners')} AND kind = {kind:String} AND mc_seqno <= {visible_last:UInt32} LIMIT ${KEYS_PER_PARAMETER + 1}`,
    params: { ...accountParams('owners', owners), kind, visible_last: visible.last },
  });
  return rows.map(([workchain, hash]): AccountId => ({ workchain: Number(workchain), hash: String(hash) }));
}

/** Newest states of accounts that are tokens; null where one is above the visible range. */
async function readNewest(
  scope: Scope,
  source: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly ListedToken[] | null> {
  const rows = await scope.query(planNewestTokens(source.database, kinds, accounts));
  const newest = new Map<string, { readonly token: ListedToken; readonly isGone: boolean }>();
  for (const row of rows) {
    const { token, isGone } = newestToken(row);
    if (token.mcSeqno > source.visible.last) return null;
    const key = `${token.kind} ${token.address}`;
    const known = newest.get(key);
    // Rows of one token are merged in time; until then the newest is picked here.
    if (!known || BigInt(token.lt) >= BigInt(known.token.lt)) newest.set(key, { token, isGone });
  }
  return [...newest.values()].filter(({ isGone }) => !isGone).map(({ token }) => token);
}

function planNewestTokens(
  database: string,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Statement {
  const names = kinds.map((kind) => `'${kind}'`).join(', ');
  const conditions = accountCondition(accounts, new Conditions()).add(`kind IN (${names})`);
  return conditions.statement(
    `SELECT is_gone, ${TOKEN_SELECT} FROM ${database}.tokens_latest PREWHERE ${conditions.text}`,
  );
}

function newestToken([isGone, ...row]: RawRow) {
  return { token: tokenRow(row), isGone: isGone === true };
}

/** Whether a token is one that a filter takes. */
export function matcher({
  addresses = [],
  owners = [],
  parents = [],
  amounts = [],
  isAboveZero = false,
}: TokenFilter): (token: ListedToken) => boolean {
  const [byAddress, byOwner, byParent] = [addresses, owners, parents].map(setOf);
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
function setOf(accounts: readonly AccountId[]): ReadonlySet<string> | null {
  return accounts.length > 0 ? new Set(accounts.map(rawAddress)) : null;
}
