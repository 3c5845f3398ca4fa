import { packedSql } from '../../../tables/packed.ts';
import { TOKEN_PAYLOAD } from '../../../tables/token-states.ts';
import type { AccountId } from '../../query/account-id.ts';
import { hasIdAmong, isAmong, isIn, KEYS_PER_PARAMETER, toHash } from '../../query/keys.ts';
import { direction, toLimit } from '../../query/page.ts';
import {
  and,
  identifier,
  join,
  NOTHING,
  Parameter,
  type Sql,
  sql,
  texts,
  u32,
  unsafeSql,
  words,
} from '../../query/sql.ts';
import {
  fromEach,
  isKind,
  isVisible,
  namedCodes,
  parentKind,
  type TokenFilter,
  type TokenList,
  type TokenSource,
} from './filter.ts';
import { hasOrMayClaim } from './mintless.ts';
import { afterSql, isDescending, orderSql, type TokenKind } from './model.ts';

/*
 * Every statement reads the same tables of `contracts` and of `detections`. Of an account that both have as a token of a
 * kind, the row from cells counts.
 */

/** Columns that decide whether a token is in a list, and where. */
const DECIDING = sql`mc_seqno, account, workchain, lt, is_gone, since, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code`;
const PACKED = unsafeSql(packedSql(TOKEN_PAYLOAD));

/**
 * Token contracts by their newest states. States above the visible range come first, whatever the filter: if there is
 * one, the list must be read with `planTokensAt`, since the table has only one state of a token.
 */
export function planTokens(source: TokenSource, list: TokenList): Sql {
  return plan(source, list, { isLatest: true, candidates: isCandidate(source, list) });
}

/** Token contracts by their newest visible states, from the history of states. */
export function planTokensAt(source: TokenSource, list: TokenList): Sql {
  return plan(source, list, { isLatest: false, candidates: isCandidate(source, list) });
}

/** As `planTokens`, among the tokens that were seen first: fewer rows than a page if some of them are tokens no more. */
export function planFirstTokens(source: TokenSource, list: TokenList): Sql {
  return plan(source, list, { isLatest: true, candidates: isAmongFirst(source, list) });
}

/**
 * True if a state above the visible range hides one that a list of `planTokens` may have: a page by offset does not
 * begin with those. Ask after the page, as such a state stays. `isFirst`: of `planFirstTokens`.
 */
export function planHiddenTokens(source: TokenSource, list: TokenList, isFirst = false): Sql {
  const isOf = isFirst ? isAmongFirst(source, list) : isCandidate(source, list);
  const hidden = and(isOf, isKind(list.filter.kind), isAbove(source));
  return fromEach(source, 'tokens_latest', (from) => sql`(SELECT 1 FROM ${from} WHERE ${hidden} LIMIT 1)`);
}

/**
 * An index gives the candidate accounts; their newest state decides. For a parent's children, which may be millions,
 * and for a history, the deciding columns are read first and the others only for a page.
 */
function plan(
  source: TokenSource,
  list: TokenList,
  { isLatest, candidates }: { readonly isLatest: boolean; readonly candidates: Sql },
): Sql {
  const { filter, page } = list;
  const table = isLatest ? 'tokens_latest' : 'token_states';
  const isOf = and(candidates, isKind(filter.kind), !isLatest && isVisible(source));
  const isShort = isLatest && (filter.owners?.length || filter.addresses?.length);
  const columns = isShort ? sql`${DECIDING}, payload` : DECIDING;
  const newest = fromEach(
    source,
    table,
    (from, flag) =>
      sql`(SELECT ${columns}, ${flag} AS is_detected FROM ${from} WHERE ${isOf} ORDER BY lt DESC LIMIT 1 BY account, workchain)`,
  );
  const orAbove = (condition: Sql) => (isLatest ? sql`((${condition}) OR ${isAbove(source)})` : condition);
  const isToken = orAbove(
    and(sql`NOT is_gone`, isNamed(source, filter, sql`${identifier(source.database, table)} WHERE ${isOf}`)),
  );
  const wanted = orAbove(and(isExact(source, filter), afterSql(list, filter.after)));
  const preferred =
    source.detected === null ? NOTHING : sql` ORDER BY is_detected LIMIT 1 BY account, workchain`;
  const ordered = sql`ORDER BY ${isLatest ? sql`${isAbove(source)} DESC, ` : NOTHING}${orderSql(list)}`;
  const paged = sql`FROM (SELECT * FROM (${newest}) WHERE ${isToken}${preferred}) WHERE ${wanted} ${ordered} ${toLimit(page)}`;
  if (isShort) return sql`SELECT account, is_detected, payload ${paged}`;
  const whole = fromEach(
    source,
    table,
    (from, flag) =>
      sql`SELECT ${DECIDING}, ${flag} AS is_detected, ${isLatest ? NOTHING : sql`${PACKED} AS `}payload FROM ${from} WHERE ${isKind(filter.kind)}`,
  );
  return sql`SELECT account, is_detected, payload FROM (${whole}) WHERE (account, workchain, lt, is_detected) IN (SELECT account, workchain, lt, is_detected ${paged}) ${ordered} LIMIT 1 BY account, workchain`;
}

/** Conditions on the newest state of a token itself. */
function isExact(
  { claims }: TokenSource,
  { owners = [], sold, parents = [], amounts = [], isAboveZero }: TokenFilter,
): Sql {
  const isOwn = owners.length > 0 && isIn(owners, 'owner');
  const isSold = sold && sql`(account, workchain, owner, owner_workchain) IN ${sold}`;
  return and(
    isOwn && sql`has_owner AND ${isSold ? sql`(${isOwn} OR ${isSold})` : isOwn}`,
    parents.length > 0 && sql`has_parent AND ${isIn(parents, 'parent')}`,
    amounts.length > 0 && sql`toString(amount) IN ${texts(amounts)}`,
    isAboveZero && hasOrMayClaim(claims),
  );
}

/** Condition: the parent names the code, or confirmed the account; null for kinds that need none. `of`: rows of the candidates. */
function isNamed(source: TokenSource, { kind, parents = [] }: TokenFilter, of: Sql): Sql | null {
  const parent = parentKind(kind);
  if (!parent) return null;
  const among =
    parents.length > 0
      ? isIn(parents)
      : sql`(account, workchain) IN (SELECT parent, parent_workchain FROM ${of} AND has_parent)`;
  return sql`(is_detected OR (parent, parent_workchain, child_code) IN ${namedCodes(source, parent, among)})`;
}

/** Condition: an account may be wanted. The addresses are few: their states contain the owner. */
function isCandidate(source: TokenSource, { filter }: TokenList): Sql {
  const { kind, addresses = [], owners = [], sold, parents = [] } = filter;
  if (addresses.length > 0) return isIn(addresses);
  const [name, keys] = owners.length > 0 ? (['owner', owners] as const) : (['parent', parents] as const);
  if (keys.length === 0) return sql`1`;
  const indexed = fromEach(
    source,
    `tokens_by_${name}`,
    (from) =>
      sql`SELECT account, workchain FROM ${from} WHERE ${isIn(keys, name)} AND ${isKind(kind)} AND ${isVisible(source)}`,
  );
  const also =
    owners.length > 0 && sold ? sql` UNION ALL SELECT parent, parent_workchain FROM ${sold}` : NOTHING;
  return sql`(account, workchain) IN (${indexed}${also})`;
}

/** Condition: an account is one of the tokens of a kind that were seen first, as many as a page needs. */
function isAmongFirst(source: TokenSource, { filter: { kind }, page }: TokenList): Sql {
  const first = sql`ORDER BY mc_seqno, account LIMIT ${u32(page.limit + page.offset)}`;
  const each = fromEach(
    source,
    'token_firsts',
    (from, _, isDetected) =>
      sql`(SELECT account, workchain, mc_seqno FROM ${from} WHERE ${isFirst(source, kind, isDetected)} ${first})`,
  );
  return sql`(account, workchain) IN (SELECT account, workchain FROM (${each}) ${first})`;
}

/** Condition on `token_firsts`: a visible token of a kind. A parent names its code, among all parents, or confirmed it. */
function isFirst(source: TokenSource, kind: TokenKind, isDetected: boolean): Sql {
  const parent = isDetected ? undefined : parentKind(kind);
  const isNamedAtAll =
    parent && sql`(parent, parent_workchain, child_code) IN ${namedCodes(source, parent, null)}`;
  return and(isKind(kind), isVisible(source), isNamedAtAll);
}

function isAbove({ visible }: TokenSource): Sql {
  return sql`mc_seqno > ${u32(visible.last)}`;
}

/** Databases of tokens: newest states are the same for each visible range. */
export type TokenDatabases = Pick<TokenSource, 'database' | 'detected'>;

/** Newest states of accounts, perhaps of others with the same id. An account has a row of another kind only if it was something else before. */
export function planNewestTokens(source: TokenDatabases, accounts: readonly AccountId[]): Sql {
  return fromEach(
    source,
    'tokens_latest',
    (from, flag) => sql`SELECT account, ${flag}, payload FROM ${from} PREWHERE ${hasIdAmong(accounts)}`,
  );
}

/**
 * Accounts that owners own or owned, one more than a statement takes if there are many. An account that came to an owner
 * twice is there twice, which is cheaper than looking for it.
 */
export function planOwned(source: TokenSource, { kind, owners = [] }: TokenFilter): Sql {
  const isOwned = and(isAmong(owners, 'owner'), isKind(kind), isVisible(source));
  return fromEach(
    source,
    'tokens_by_owner',
    (from) =>
      sql`(SELECT workchain, hex(account) FROM ${from} PREWHERE ${isOwned} LIMIT ${u32(KEYS_PER_PARAMETER + 1)})`,
  );
}

/**
 * Codes that accounts name as parents of some kinds: kind, workchain, account, code (base64). `accounts`: KEYS_PER_PARAMETER
 * at most.
 */
export function planNamed(
  source: TokenSource,
  kinds: Iterable<TokenKind>,
  accounts: readonly AccountId[],
): Sql {
  const named = [...kinds].map(
    (kind) =>
      sql`SELECT ${words(kind)} AS kind, workchain, hex(account), base64Encode(child_code) FROM ${namedCodes(source, kind, isAmong(accounts))}`,
  );
  return join(named, ' UNION ALL ');
}

const FORWARD = { order: 'first', page: { limit: 0, offset: 0, descending: false } } as const;

/**
 * The next candidates of a list with at most a parent as filter, by first appearance, after a position. As `planRanked`:
 * part of the statement, step, account, workchain, 1.
 */
export function planCandidates(source: TokenSource, filter: TokenFilter, limit: number): Sql {
  const { kind, parents: [parent] = [], after } = filter;
  const isNext = afterSql(FORWARD, after);
  const [table, key] = parent
    ? (['tokens_by_parent', sql`parent, parent_workchain, kind`] as const)
    : (['token_firsts', sql`kind`] as const);
  return fromEach(source, table, (from, flag, isDetected) => {
    const isOf = parent
      ? sql`${isAmong([parent], 'parent')} AND ${isKind(kind)} AND ${isVisible(source)}`
      : isFirst(source, kind, isDetected);
    return sql`(SELECT ${flag}, mc_seqno AS since, hex(account), workchain, 1 FROM ${from} WHERE ${and(isOf, isNext)} ORDER BY ${key}, mc_seqno, account, workchain LIMIT ${u32(limit)})`;
  });
}

/** Maximum examined children of one parent with a state above the visible range. */
export const MAX_ABOVE = 1_000;

/** Condition for children of a list's only parent, on columns of the ranking and of the newest states. */
function isChild({ filter: { parents = [], kind } }: TokenList): Sql {
  return sql`${isAmong(parents, 'parent')} AND ${isKind(kind)}`;
}

/** Code of a child that its parent confirmed. */
export const CONFIRMED = '0'.repeat(64);
const RANKING = ['parent', 'parent_workchain', 'kind', 'child_code', 'amount', 'account', 'workchain'];

/**
 * The next rows of the rankings of a list's only parent, with all of the last place of each: part of the statement,
 * amount, account, workchain, net. `codes`: rows of `planChildCodes`, each of which is a part.
 */
export function planRanked(
  source: TokenSource,
  list: TokenList,
  codes: readonly string[],
  length: number,
): Sql {
  const { amounts = [], isAboveZero, after } = list.filter;
  const possible = amounts.map(BigInt).filter((amount) => amount < 2n ** 256n);
  const way = direction({ descending: isDescending(list) });
  const order = unsafeSql(RANKING.map((column) => `${column} ${way}`).join(', '));
  const rank = (from: Sql, code: string, part: number, hasClaims: boolean) => {
    const wanted = and(
      sql`${isChild(list)} AND child_code = ${toHash(code)}`,
      isAboveZero && !hasClaims && sql`amount > 0`,
      amounts.length > 0 &&
        sql`amount IN (SELECT arrayJoin(${new Parameter('Array(UInt256)', `[${possible}]`)}))`,
      afterSql(list, after),
    );
    return sql`(SELECT ${u32(part)}, toString(amount), hex(account), workchain, net FROM ${from} WHERE ${wanted} ORDER BY ${order} LIMIT ${u32(length)} WITH TIES)`;
  };
  const table = 'tokens_ranked';
  const parts = codes.map((code, part) => {
    const detected = code === CONFIRMED ? source.detected : null;
    const ranking = identifier(detected ?? source.database, table);
    return rank(ranking, code, part, detected !== null && source.claims !== null);
  });
  return join(parts, ' UNION ALL ');
}

/**
 * Children of a list's only parent whose newest state is above the visible range: workchain, account. Ask after the
 * ranking, from which a new state removes the former one.
 */
export function planAbove(source: TokenSource, list: TokenList): Sql {
  return fromEach(
    source,
    'tokens_latest',
    (from) =>
      sql`(SELECT DISTINCT workchain, hex(account) FROM ${from} PREWHERE ${isAbove(source)} WHERE ${isChild(list)} LIMIT ${u32(MAX_ABOVE + 1)})`,
  );
}

/** True if children that a list's only parent confirmed itself are among the rows of `planChildCodes`. */
export function hasDetected(codes: readonly string[]): boolean {
  return codes.includes(CONFIRMED);
}

/**
 * Codes (hex) of the children of a list's only parent: those that it names in its states, and zeros if it has, or had,
 * children that get methods identified.
 */
export function planChildCodes(source: TokenSource, list: TokenList): Sql {
  const kind = parentKind(list.filter.kind) as TokenKind;
  const of = and(isAmong(list.filter.parents ?? []), isKind(kind));
  const named = fromEach(
    source,
    'tokens_latest',
    (from) =>
      sql`SELECT DISTINCT hex(child_code) FROM ${from} PREWHERE ${of} WHERE child_code != ${toHash(CONFIRMED)}`,
  );
  if (source.detected === null) return named;
  const children = identifier(source.detected, 'tokens_by_parent');
  return sql`${named} UNION ALL (SELECT ${words(CONFIRMED)} FROM ${children} WHERE ${isChild(list)} LIMIT 1)`;
}
