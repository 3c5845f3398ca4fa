import { packedSql } from '../../../tables/packed.ts';
import { TOKEN_PAYLOAD } from '../../../tables/token-states.ts';
import type { AccountId } from '../../query/account-id.ts';
import { accountParams, accountSet } from '../../query/key-lists.ts';
import type { Page } from '../../query/page.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import { addExactConditions, type TokenFilter, type TokenSource } from './filter.ts';
import { namedCodes, parentKind } from './known-parents.ts';
import { addBehind, type TokenOrder, tokenOrderSql } from './order.ts';
import { soldItems } from './sold-items.ts';

const KIND = 'kind = {kind:String}';
const VISIBLE = 'mc_seqno <= {visible_last:UInt32}';
/** Columns that decide whether a token is in a list, and where. */
const DECIDING =
  'mc_seqno, account, workchain, lt, is_gone, since, amount, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code';

/** A page of a list. */
export interface TokenList {
  readonly filter: TokenFilter;
  readonly page: Page;
  readonly order: TokenOrder;
}

/**
 * Token contracts by their newest states. States above the visible range come first, whatever the filter: if there is
 * one, the list must be read with `planTokensAt`, since the table has only one state of a token.
 */
export function planTokens(source: TokenSource, list: TokenList): Statement {
  return plan(source, list, `${source.database}.tokens_latest`);
}

/**
 * True if a state above the visible range hides one that a list of `planTokens` may have: a page by offset does not
 * begin with those. Ask after the page, as such a state stays.
 */
export function planHiddenTokens(source: TokenSource, { filter, page, order }: TokenList): Statement {
  const conditions = new Conditions().bind({ kind: filter.kind, visible_last: source.visible.last });
  const candidates = candidateConditions(source, filter, conditions, isOfFirsts(filter, order) ? page : null);
  return conditions.statement(
    `SELECT 1 FROM ${source.database}.tokens_latest WHERE ${[...candidates, KIND].join(' AND ')} AND NOT ${VISIBLE} LIMIT 1`,
  );
}

/** Token contracts by their newest visible states, from the history of states. */
export function planTokensAt(source: TokenSource, list: TokenList): Statement {
  return plan(source, list, `${source.database}.token_states`);
}

/**
 * An index gives the candidate accounts; their newest state decides. For a parent's children, which may be millions,
 * and for a history, the deciding columns are read first and the others only for a page.
 */
function plan(source: TokenSource, { filter, page, order }: TokenList, table: string): Statement {
  const isLatest = table.endsWith('.tokens_latest');
  const conditions = new Conditions().bind({
    kind: filter.kind,
    visible_last: source.visible.last,
    limit: page.limit,
    offset: page.offset,
  });
  const candidates = candidateConditions(source, filter, conditions, isOfFirsts(filter, order) ? page : null);
  const found = `${table} WHERE ${[...candidates, KIND, ...(isLatest ? [] : [VISIBLE])].join(' AND ')}`;
  conditions.add('NOT is_gone');
  addExactConditions(
    filter,
    filter.isSoldToo ? soldItems(source.database, source.detectedSales, 'owners') : null,
    conditions,
  );
  addBehind(conditions, order, page, filter.after);
  const parent = parentKind(filter.kind);
  if (parent) {
    const parents = filter.parents?.length
      ? `(account, workchain) IN ${accountSet('parents')}`
      : `(account, workchain) IN (SELECT parent, parent_workchain FROM ${found} AND has_parent)`;
    conditions.add(`(parent, parent_workchain, child_code) IN ${namedCodes(source, parent, parents)}`);
  }
  const isShort = isLatest && (filter.owners?.length || filter.addresses?.length);
  const payload = isLatest ? 'payload' : packedSql(TOKEN_PAYLOAD);
  const newest = `(SELECT ${isShort ? `${DECIDING}, payload` : DECIDING} FROM ${found} ORDER BY lt DESC LIMIT 1 BY account, workchain)`;
  const ordered = `ORDER BY ${isLatest ? 'mc_seqno > {visible_last:UInt32} DESC, ' : ''}${tokenOrderSql(order, page)}`;
  const wanted = isLatest ? `(${conditions.text}) OR NOT ${VISIBLE}` : conditions.text;
  const paged = `FROM ${newest} WHERE ${wanted} ${ordered} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`;
  if (isShort) return conditions.statement(`SELECT account, payload ${paged}`);
  return conditions.statement(
    `SELECT account, ${payload} FROM ${table} WHERE (account, workchain, lt) IN (SELECT account, workchain, lt ${paged}) AND ${KIND} ${ordered} LIMIT 1 BY account, workchain`,
  );
}

/** Whether a list begins with the candidates that were seen first. */
function isOfFirsts({ after, isAboveZero }: TokenFilter, order: TokenOrder): boolean {
  return order === 'first' && !after && !isAboveZero;
}

/** An account that a list may have, and the step at which it was first seen so. */
export interface TokenCandidate {
  readonly seen: number;
  readonly account: AccountId;
}

const FORWARD: Page = { limit: 0, offset: 0, descending: false };

/** The next candidates of a list with only a parent as filter, by first appearance, after a position. */
export function planCandidates(
  source: TokenSource,
  { kind, parents: [parent] = [], after = null }: TokenFilter,
  limit: number,
): Statement {
  const { database, visible } = source;
  const conditions = new Conditions().bind({ limit }).add(KIND, { kind });
  conditions.add(VISIBLE, { visible_last: visible.last });
  addBehind(conditions, 'first', FORWARD, after);
  const select = 'SELECT mc_seqno AS since, hex(account), workchain FROM';
  if (parent) {
    conditions.addFirst('parent = unhex({parent:String}) AND parent_workchain = {parent_workchain:Int32}');
    conditions.bind({ parent: parent.hash, parent_workchain: parent.workchain });
    return conditions.statement(
      `${select} ${database}.tokens_by_parent WHERE ${conditions.text} ORDER BY parent, parent_workchain, kind, mc_seqno, account, workchain LIMIT {limit:UInt32}`,
    );
  }
  const named = parentKind(kind);
  if (named) conditions.add(`(parent, parent_workchain, child_code) IN ${namedCodes(source, named, null)}`);
  return conditions.statement(
    `${select} ${database}.token_firsts WHERE ${conditions.text} ORDER BY kind, mc_seqno, account, workchain LIMIT {limit:UInt32}`,
  );
}

/** Accounts that may be wanted. `page`: page of a list in the order in which tokens were first seen. */
function candidateConditions(
  source: TokenSource,
  { kind, addresses = [], owners = [], isSoldToo = false, parents = [] }: TokenFilter,
  conditions: Conditions,
  page: Page | null,
): string[] {
  const { database, detectedSales } = source;
  const texts: string[] = [];
  if (addresses.length > 0) {
    conditions.bind(accountParams('addresses', addresses));
    texts.push(`(account, workchain) IN ${accountSet('addresses')}`);
  }
  if (owners.length > 0) conditions.bind(accountParams('owners', owners));
  if (parents.length > 0) conditions.bind(accountParams('parents', parents));
  // The addresses are few: their states contain the owner.
  if (addresses.length > 0) return texts;
  if (owners.length > 0) {
    const sold = isSoldToo
      ? ` UNION ALL SELECT parent, parent_workchain FROM ${soldItems(database, detectedSales, 'owners')}`
      : '';
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.tokens_by_owner WHERE (owner, owner_workchain) IN ${accountSet('owners')} AND ${KIND} AND ${VISIBLE}${sold})`,
    );
  }
  // The parents of an owner's few tokens are compared anyway.
  if (parents.length > 0 && texts.length === 0)
    texts.push(
      `(account, workchain) IN (SELECT account, workchain FROM ${database}.tokens_by_parent WHERE (parent, parent_workchain) IN ${accountSet('parents')} AND ${KIND} AND ${VISIBLE})`,
    );
  if (texts.length === 0 && page) {
    texts.push(firstCandidates(source, kind));
    conditions.bind({ most: page.limit + page.offset });
  }
  return texts.length > 0 ? texts : ['1'];
}

/** The first of a kind, of which parents must name the code. */
function firstCandidates(source: TokenSource, kind: TokenFilter['kind']): string {
  const { database } = source;
  const parent = parentKind(kind);
  const isNamed = parent
    ? ` AND (parent, parent_workchain, child_code) IN ${namedCodes(source, parent, null)}`
    : '';
  return `(account, workchain) IN (SELECT account, workchain FROM ${database}.token_firsts WHERE ${KIND} AND ${VISIBLE}${isNamed} ORDER BY mc_seqno, account LIMIT {most:UInt32})`;
}
