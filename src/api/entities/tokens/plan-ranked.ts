import type { AccountId } from '../../query/account-id.ts';
import { accountCondition, hashLiteral } from '../../query/key-lists.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import type { TokenSource } from './filter.ts';
import { parentKind } from './known-parents.ts';
import type { TokenKind } from './model.ts';
import { addBehind, getWay } from './order.ts';
import type { TokenList } from './plan.ts';

/** Maximum examined children of one parent with a state above the visible range. */
export const MAX_ABOVE = 1_000;

/** Orders of lists that the ranking has. */
export function isRanked({ filter, order }: TokenList): boolean {
  const { kind, parents = [], owners = [], addresses = [] } = filter;
  const narrower = owners.length > 0 || addresses.length > 0;
  const isItsOrder = kind === 'jetton_wallet' ? order === 'amount' : kind === 'nft_item' && order === 'index';
  return isItsOrder && parents.length === 1 && !narrower;
}

/** Condition for children of a list's only parent, on columns of the ranking and of the newest states. */
function isChild({ filter }: TokenList): string {
  const [parent] = filter.parents as readonly [AccountId];
  const { hash, workchain } = parent;
  return `parent = ${hashLiteral(hash)} AND parent_workchain = ${Math.trunc(workchain)} AND kind = '${filter.kind}'`;
}

/** The first rows of the ranking of a list's only parent, and all of the last place: amount, workchain, account, net. */
export function planRanked(
  { database }: TokenSource,
  list: TokenList,
  childCode: string,
  length: number,
): Statement {
  const { filter, order, page } = list;
  const way = getWay(order, page);
  const conditions = new Conditions().add(`${isChild(list)} AND child_code = ${hashLiteral(childCode)}`);
  if (filter.isAboveZero) conditions.add('amount > 0');
  const amounts = filter.amounts?.map(BigInt).filter((amount) => amount < 2n ** 256n) ?? [];
  if (filter.amounts?.length)
    conditions.add('amount IN (SELECT arrayJoin({amounts:Array(UInt256)}))', { amounts: `[${amounts}]` });
  addBehind(conditions, order, page, filter.after);
  const columns = ['parent', 'parent_workchain', 'kind', 'child_code', 'amount', 'account', 'workchain'];
  return conditions.statement(
    `SELECT toString(amount), workchain, hex(account), net FROM ${database}.tokens_ranked WHERE ${conditions.text}` +
      ` ORDER BY ${columns.map((column) => `${column} ${way}`).join(', ')} LIMIT ${length} WITH TIES`,
  );
}

/**
 * Children of a list's only parent whose newest state is above the visible range: workchain, account. Ask after the
 * ranking, from which a new state removes the former one.
 */
export function planAbove({ database, visible }: TokenSource, list: TokenList): Statement {
  return {
    sql:
      `SELECT DISTINCT workchain, hex(account) FROM ${database}.tokens_latest` +
      ` PREWHERE mc_seqno > {visible_last:UInt32} WHERE ${isChild(list)} LIMIT ${MAX_ABOVE + 1}`,
    params: { visible_last: visible.last },
  };
}

/**
 * Codes of children that a list's only parent names in its states, or a master's get methods return: code (hex), lt.
 */
export function planNamedCodes({ database, detected }: TokenSource, list: TokenList): readonly Statement[] {
  const named = parentKind(list.filter.kind) as TokenKind;
  const of = accountCondition(list.filter.parents ?? [], new Conditions()).add(`kind = '${named}'`);
  const from = (table: string, and = '') =>
    of.statement(`SELECT hex(child_code), lt FROM ${table} PREWHERE ${of.text}${and}`);
  const known = from(`${database}.tokens_latest`);
  if (detected === null || named !== 'jetton_master') return [known];
  return [known, from(`${detected}.detections`, " AND reason = ''")];
}
