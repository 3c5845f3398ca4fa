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

/** Columns that decide whether a token is in a list, and where. */
const DECIDING = sql`mc_seqno, account, workchain, lt, is_gone, since, amount, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code`;
const PACKED = unsafeSql(packedSql(TOKEN_PAYLOAD));

/**
 * Token contracts by their newest states. States above the visible range come first, whatever the filter: if there is
 * one, the list must be read with `planTokensAt`, since the table has only one state of a token.
 */
export function planTokens(source: TokenSource, list: TokenList): Sql {
  return plan(source, list, true);
}

/** Token contracts by their newest visible states, from the history of states. */
export function planTokensAt(source: TokenSource, list: TokenList): Sql {
  return plan(source, list, false);
}

/**
 * True if a state above the visible range hides one that a list of `planTokens` may have: a page by offset does not
 * begin with those. Ask after the page, as such a state stays.
 */
export function planHiddenTokens(source: TokenSource, list: TokenList): Sql {
  const candidates = and(isCandidate(source, list), isKind(list.filter.kind));
  return sql`SELECT 1 FROM ${identifier(source.database, 'tokens_latest')} WHERE ${candidates} AND ${isAbove(source)} LIMIT 1`;
}

/**
 * An index gives the candidate accounts; their newest state decides. For a parent's children, which may be millions,
 * and for a history, the deciding columns are read first and the others only for a page.
 */
function plan(source: TokenSource, list: TokenList, isLatest: boolean): Sql {
  const { filter, page } = list;
  const table = identifier(source.database, isLatest ? 'tokens_latest' : 'token_states');
  const found = sql`${table} WHERE ${and(isCandidate(source, list), isKind(filter.kind), !isLatest && isVisible(source))}`;
  const wanted = and(
    sql`NOT is_gone`,
    isExact(filter),
    afterSql(list, filter.after),
    isNamed(source, filter, found),
  );
  const isShort = isLatest && (filter.owners?.length || filter.addresses?.length);
  const newest = sql`(SELECT ${DECIDING}${isShort ? sql`, payload` : NOTHING} FROM ${found} ORDER BY lt DESC LIMIT 1 BY account, workchain)`;
  const above = isLatest ? sql`${isAbove(source)} DESC, ` : NOTHING;
  const ordered = sql`ORDER BY ${above}${orderSql(list)}`;
  const chosen = isLatest ? sql`(${wanted}) OR ${isAbove(source)}` : wanted;
  const paged = sql`FROM ${newest} WHERE ${chosen} ${ordered} ${toLimit(page)}`;
  if (isShort) return sql`SELECT account, payload ${paged}`;
  return sql`SELECT account, ${isLatest ? sql`payload` : PACKED} FROM ${table} WHERE (account, workchain, lt) IN (SELECT account, workchain, lt ${paged}) AND ${isKind(filter.kind)} ${ordered} LIMIT 1 BY account, workchain`;
}

/** Conditions on the newest state of a token itself. */
function isExact({ owners = [], sold, parents = [], amounts = [], isAboveZero }: TokenFilter): Sql {
  const isOwn = owners.length > 0 && isIn(owners, 'owner');
  const isSold = sold && sql`(account, workchain, owner, owner_workchain) IN ${sold}`;
  return and(
    isOwn && sql`has_owner AND ${isSold ? sql`(${isOwn} OR ${isSold})` : isOwn}`,
    parents.length > 0 && sql`has_parent AND ${isIn(parents, 'parent')}`,
    amounts.length > 0 && sql`toString(amount) IN ${texts(amounts)}`,
    isAboveZero && sql`amount > 0`,
  );
}

/** Condition: the parent names the code; null for kinds that need none. `found`: rows of the candidates. */
function isNamed(source: TokenSource, { kind, parents = [] }: TokenFilter, found: Sql): Sql | null {
  const parent = parentKind(kind);
  if (!parent) return null;
  const among =
    parents.length > 0
      ? isIn(parents)
      : sql`(account, workchain) IN (SELECT parent, parent_workchain FROM ${found} AND has_parent)`;
  return sql`(parent, parent_workchain, child_code) IN ${namedCodes(source, parent, among)}`;
}

/** Condition: an account may be wanted. The addresses are few: their states contain the owner. */
function isCandidate(source: TokenSource, { filter, page, order }: TokenList): Sql {
  const { kind, addresses = [], owners = [], sold, parents = [], after, isAboveZero } = filter;
  if (addresses.length > 0) return isIn(addresses);
  const indexed = (name: 'owner' | 'parent', keys: readonly AccountId[]) =>
    sql`SELECT account, workchain FROM ${identifier(source.database, `tokens_by_${name}`)} WHERE ${isIn(keys, name)} AND ${isKind(kind)} AND ${isVisible(source)}`;
  if (owners.length > 0) {
    const also = sold ? sql` UNION ALL SELECT parent, parent_workchain FROM ${sold}` : NOTHING;
    return sql`(account, workchain) IN (${indexed('owner', owners)}${also})`;
  }
  if (parents.length > 0) return sql`(account, workchain) IN (${indexed('parent', parents)})`;
  // Only such a list begins with the tokens that were seen first.
  if (order !== 'first' || after || isAboveZero) return sql`1`;
  const isFirst = and(isKind(kind), isVisible(source), isNamedAtAll(source, kind));
  return sql`(account, workchain) IN (SELECT account, workchain FROM ${identifier(source.database, 'token_firsts')} WHERE ${isFirst} ORDER BY mc_seqno, account LIMIT ${u32(page.limit + page.offset)})`;
}

/** Condition: a parent names the code, among all parents; null for kinds that need none. */
function isNamedAtAll(source: TokenSource, kind: TokenKind): Sql | null {
  const parent = parentKind(kind);
  return parent ? sql`(parent, parent_workchain, child_code) IN ${namedCodes(source, parent, null)}` : null;
}

function isAbove({ visible }: TokenSource): Sql {
  return sql`mc_seqno > ${u32(visible.last)}`;
}

/** Newest states of accounts, perhaps of others with the same id. An account has a row of another kind only if it was something else before. */
export function planNewestTokens(database: string, accounts: readonly AccountId[]): Sql {
  return sql`SELECT account, payload FROM ${identifier(database, 'tokens_latest')} PREWHERE ${hasIdAmong(accounts)}`;
}

/**
 * Accounts that owners own or owned, one more than a statement takes if there are many. An account that came to an owner
 * twice is there twice, which is cheaper than looking for it.
 */
export function planOwned(source: TokenSource, { kind, owners = [] }: TokenFilter): Sql {
  const isOwned = and(isAmong(owners, 'owner'), isKind(kind), isVisible(source));
  return sql`SELECT workchain, hex(account) FROM ${identifier(source.database, 'tokens_by_owner')} PREWHERE ${isOwned} LIMIT ${u32(KEYS_PER_PARAMETER + 1)}`;
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

/** The next candidates of a list with only a parent as filter, by first appearance, after a position: step, account, workchain. */
export function planCandidates(source: TokenSource, filter: TokenFilter, limit: number): Sql {
  const { kind, parents: [parent] = [], after } = filter;
  const shown = and(isKind(kind), isVisible(source), afterSql(FORWARD, after));
  const select = sql`SELECT mc_seqno AS since, hex(account), workchain FROM`;
  if (!parent)
    return sql`${select} ${identifier(source.database, 'token_firsts')} WHERE ${and(shown, isNamedAtAll(source, kind))} ORDER BY kind, mc_seqno, account, workchain LIMIT ${u32(limit)}`;
  return sql`${select} ${identifier(source.database, 'tokens_by_parent')} WHERE ${isAmong([parent], 'parent')} AND ${shown} ORDER BY parent, parent_workchain, kind, mc_seqno, account, workchain LIMIT ${u32(limit)}`;
}

/** Maximum examined children of one parent with a state above the visible range. */
export const MAX_ABOVE = 1_000;

/** True if the ranking has the order of a list. */
export function isRanked({ filter, order }: TokenList): boolean {
  const { kind, parents = [], owners = [], addresses = [] } = filter;
  const isItsOrder = kind === 'jetton_wallet' ? order === 'amount' : kind === 'nft_item' && order === 'index';
  return isItsOrder && parents.length === 1 && owners.length === 0 && addresses.length === 0;
}

/** Condition for children of a list's only parent, on columns of the ranking and of the newest states. */
function isChild({ filter: { parents = [], kind } }: TokenList): Sql {
  return sql`${isAmong(parents, 'parent')} AND ${isKind(kind)}`;
}

/** The first rows of the ranking of a list's only parent, and all of the last place: amount, workchain, account, net. */
export function planRanked(source: TokenSource, list: TokenList, childCode: string, length: number): Sql {
  const { amounts = [], isAboveZero, after } = list.filter;
  const possible = amounts.map(BigInt).filter((amount) => amount < 2n ** 256n);
  const wanted = and(
    sql`${isChild(list)} AND child_code = ${toHash(childCode)}`,
    isAboveZero && sql`amount > 0`,
    amounts.length > 0 &&
      sql`amount IN (SELECT arrayJoin(${new Parameter('Array(UInt256)', `[${possible}]`)}))`,
    afterSql(list, after),
  );
  const columns = ['parent', 'parent_workchain', 'kind', 'child_code', 'amount', 'account', 'workchain'];
  const way = direction({ descending: isDescending(list) });
  const order = unsafeSql(columns.map((column) => `${column} ${way}`).join(', '));
  return sql`SELECT toString(amount), workchain, hex(account), net FROM ${identifier(source.database, 'tokens_ranked')} WHERE ${wanted} ORDER BY ${order} LIMIT ${u32(length)} WITH TIES`;
}

/**
 * Children of a list's only parent whose newest state is above the visible range: workchain, account. Ask after the
 * ranking, from which a new state removes the former one.
 */
export function planAbove(source: TokenSource, list: TokenList): Sql {
  return sql`SELECT DISTINCT workchain, hex(account) FROM ${identifier(source.database, 'tokens_latest')} PREWHERE ${isAbove(source)} WHERE ${isChild(list)} LIMIT ${u32(MAX_ABOVE + 1)}`;
}

/** Codes of children that a list's only parent names in its states, or a master's get methods return: code (hex), lt. */
export function planNamedCodes({ database, detected }: TokenSource, list: TokenList): Sql {
  const kind = parentKind(list.filter.kind) as TokenKind;
  const of = and(isAmong(list.filter.parents ?? []), isKind(kind));
  const known = sql`SELECT hex(child_code), lt FROM ${identifier(database, 'tokens_latest')} PREWHERE ${of}`;
  if (detected === null || kind !== 'jetton_master') return known;
  return sql`${known} UNION ALL SELECT hex(child_code), lt FROM ${identifier(detected, 'detections')} PREWHERE ${of} AND reason = ''`;
}

/** Any key of detected tokens that a list may have: a short read, as most lists have none. */
export function planAnyDetected(detected: string, { filter }: TokenList): Sql {
  return sql`SELECT 1 FROM ${identifier(detected, 'detected_keys')} PREWHERE ${isKeyed(filter)} LIMIT 1`;
}

/** Detected tokens of a list by their newest outcomes, from its first row to the end of its page (v3-rules.md 6). */
export function planDetected(source: TokenSource, detected: string, list: TokenList): Sql {
  const { filter, page } = list;
  const keys = sql`SELECT account, workchain, min(since) AS since FROM ${identifier(detected, 'detected_keys')} WHERE ${isKeyed(filter)} GROUP BY account, workchain`;
  const found = sql`SELECT * FROM ${identifier(detected, 'detections')} WHERE (account, workchain) IN (SELECT account, workchain FROM (${keys})) AND ${isKind(filter.kind)} AND ${isVisible(source)} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  const wanted = and(
    sql`reason = ''`,
    isExact({ ...filter, isAboveZero: false }),
    filter.isAboveZero && hasOrMayClaim(source.claims),
    afterSql(list, filter.after),
  );
  return sql`SELECT account, ${TOKEN} FROM (${found}) AS found ANY INNER JOIN (${keys}) AS keys USING (account, workchain) WHERE ${wanted} ORDER BY ${orderSql(list)} LIMIT ${u32(page.limit + page.offset)}`;
}

/** Condition: a key is one of the narrowest filter. */
function isKeyed({ kind, addresses = [], owners = [], sold, parents = [] }: TokenFilter): Sql {
  const hasKey = (role: string, accounts: readonly AccountId[]) =>
    sql`${isAmong(accounts, 'key')} AND role = ${unsafeSql(`'${role}'`)}`;
  if (addresses.length > 0) return and(hasKey('account', addresses), isKind(kind));
  if (owners.length > 0) {
    const isSold =
      sold &&
      sql`(key, key_workchain) IN (SELECT parent, parent_workchain FROM ${sold}) AND role = 'account'`;
    const isOwned = hasKey('owner', owners);
    return and(isSold ? sql`(${isOwned} OR ${isSold})` : isOwned, isKind(kind));
  }
  return and(parents.length > 0 ? hasKey('parent', parents) : sql`role = 'account'`, isKind(kind));
}

/** Outcomes have no link. */
const NO_LINK = "''";
const TOKEN = unsafeSql(packedSql(TOKEN_PAYLOAD, {}, { is_gone: 'false', link: NO_LINK }));
/** Ended if get methods refuse; `since` is the step of the outcome. */
const OUTCOME = unsafeSql(
  packedSql(TOKEN_PAYLOAD, {}, { is_gone: "reason != ''", since: 'mc_seqno', link: NO_LINK }),
);

/** Accounts (workchain, hex) with outcomes among some, perhaps others with the same id. */
export function planExamined(detected: string, accounts: readonly AccountId[]): Sql {
  return sql`SELECT workchain, hex(account) FROM ${identifier(detected, 'detections')} PREWHERE ${hasIdAmong(accounts)}`;
}

/** Outcomes of some kinds among accounts: the newest of each counts. */
export function planOutcomes(
  source: TokenSource,
  detected: string,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Sql {
  const among = and(isAmong(accounts), isKind(...kinds), isVisible(source));
  return sql`SELECT account, ${OUTCOME} FROM ${identifier(detected, 'detections')} PREWHERE ${among}`;
}
