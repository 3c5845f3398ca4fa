import type { AccountId } from './account-id.ts';
import { parentKind } from './known-parents.ts';
import type { TokenList } from './plan-tokens.ts';
import { Conditions, type Statement } from './statement.ts';
import type { TokenSource } from './token-filter.ts';
import { addBehind, wayOf } from './token-order.ts';

/** Children of one parent whose state is above the visible range, as far as they are looked at. */
export const MOST_ABOVE = 1_000;

/** Orders of lists that the ranking has. */
export function isRanked({ filter, order }: TokenList): boolean {
  const { kind, parents = [], owners = [], addresses = [] } = filter;
  const narrower = owners.length > 0 || addresses.length > 0;
  const isItsOrder = kind === 'jetton_wallet' ? order === 'amount' : kind === 'nft_item' && order === 'index';
  return isItsOrder && parents.length === 1 && !narrower;
}

/**
 * The first rows of the ranking of a list's only parent, netted (columns 0, amount, workchain, account, net, rows), and its
 * children above the visible range (column 0 is 1).
 */
export function planRanked(source: TokenSource, list: TokenList, length: number): Statement {
  const { database, visible } = source;
  const { filter, order, page } = list;
  const [parent] = filter.parents as readonly [AccountId];
  const way = wayOf(order, page);
  const of =
    'parent = unhex({parent:String}) AND parent_workchain = {parent_workchain:Int32} AND kind = {kind:String}';
  const conditions = new Conditions()
    .add(of, { parent: parent.hash, parent_workchain: parent.workchain, kind: filter.kind })
    .add(`child_code = ${namedCode(source, filter.kind)}`)
    .bind({ length, visible_last: visible.last, above: MOST_ABOVE + 1 });
  if (filter.isAboveZero) conditions.add('amount > 0');
  const amounts = filter.amounts?.map(BigInt).filter((amount) => amount < 2n ** 256n) ?? [];
  if (filter.amounts?.length)
    conditions.add('amount IN (SELECT arrayJoin({amounts:Array(UInt256)}))', { amounts: `[${amounts}]` });
  addBehind(conditions, order, page, filter.after);
  const columns = ['amount', 'account', 'workchain'].map((column) => `${column} ${way}`).join(', ');
  const top = `SELECT amount, account, workchain, net FROM ${database}.tokens_ranked WHERE ${conditions.text} ORDER BY parent ${way}, parent_workchain ${way}, kind ${way}, child_code ${way}, ${columns} LIMIT {length:UInt32} WITH TIES`;
  const above = `SELECT DISTINCT account, workchain FROM ${database}.tokens_latest WHERE mc_seqno > {visible_last:UInt32} AND ${of} LIMIT {above:UInt32}`;
  return conditions.statement(
    `SELECT 0, toString(amount), workchain, hex(account), toInt32(sum(net)), toUInt32(count()) FROM (${top}) GROUP BY amount, account, workchain` +
      ` UNION ALL SELECT 1, '0', workchain, hex(account), 1, 0 FROM (${above})`,
  );
}

/** The code that the parent names by its newest state; that of a master may be told by its get methods alone. */
function namedCode({ database, detected }: TokenSource, kind: TokenList['filter']['kind']): string {
  const named = parentKind(kind);
  const of = `account = unhex({parent:String}) AND workchain = {parent_workchain:Int32} AND kind = '${named}'`;
  const known = `SELECT child_code, lt FROM ${database}.tokens_latest WHERE ${of}`;
  const told = `SELECT child_code, lt FROM ${detected}.detections WHERE ${of} AND reason = ''`;
  const all = detected === null || named !== 'jetton_master' ? known : `${known} UNION ALL ${told}`;
  return `(SELECT child_code FROM (${all}) ORDER BY lt DESC LIMIT 1)`;
}
