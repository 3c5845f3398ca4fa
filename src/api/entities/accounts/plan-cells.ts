import { accountList, accountLiteral, accountParams, accountSet } from '../../query/key-lists.ts';
import type { ReadScope } from '../../query/scope.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import { type AccountStateRow, getAccount } from './model.ts';

/** The state whose cells are wanted. */
export type StateKey = Pick<AccountStateRow, 'workchain' | 'account' | 'lt'>;

/**
 * Maximum rows read together for each account: some granules of 256. Above that, the store refuses the statement before
 * it reads, and they are read by the keys of their two cells.
 */
const ROWS_OF_ACCOUNT = 1_024;
/** The state's own cell, the first one, and others of the same lt. */
const CELLS_OF_ACCOUNT = 4;

/**
 * Rows (workchain, account, boc): for each state its own cell and the account's first, perhaps with others of the same
 * lt.
 */
export function planAccountCells(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Statement {
  const table = `${databases.base}.account_cells`;
  const [own, first, params] = states.length === 1 ? keysOfOne(table, states) : keysOfMany(table, states);
  const key = '(account, workchain, lt)';
  return {
    sql: `SELECT workchain, account, boc FROM ${table} PREWHERE ${key} IN ${own} OR ${key} IN ${first}`,
    params: { ...params, visible_last: visible.last },
  };
}

/** Sets of keys (account, workchain, lt): of states, and of the first cells of their accounts; and their parameters. */
type KeysOfCells = readonly [own: string, first: string, params: Statement['params']];

/** The first cell in the order of the table: no other is read, however many there are. */
function keysOfOne(table: string, states: readonly StateKey[]): KeysOfCells {
  const { hash, workchain } = getAccount(states[0] as StateKey);
  const first =
    `(SELECT account, workchain, lt FROM ${table} PREWHERE account = unhex('${hash}') AND workchain = ${workchain}` +
    ' AND mc_seqno <= {visible_last:UInt32} ORDER BY account, workchain, lt LIMIT 1)';
  return [stateList(states), first, {}];
}

function keysOfMany(table: string, states: readonly StateKey[]): KeysOfCells {
  const own = `(SELECT toFixedString(unhex(s.1), 32), s.2, s.3 FROM (SELECT arrayJoin(${ARRAYS}) AS s))`;
  const first =
    `(SELECT account, workchain, min(lt) FROM ${table} PREWHERE (account, workchain) IN ${accountSet('accounts')}` +
    ' AND mc_seqno <= {visible_last:UInt32} GROUP BY account, workchain)';
  const params = accountParams('accounts', states.map(getAccount));
  return [own, first, { ...params, lts: `[${states.map(getLt).join(',')}]` }];
}

/** Rows (workchain, account, boc): the cells of states, as their blocks have them. */
export function planOwnCells(
  { databases }: Pick<ReadScope, 'databases'>,
  states: readonly StateKey[],
): Statement {
  const table = `${databases.base}.account_cells`;
  return {
    sql: `SELECT workchain, account, boc FROM ${table} PREWHERE (account, workchain, lt) IN ${stateList(states)}`,
    params: {},
  };
}

/**
 * Like `planAccountCells`, in one pass over accounts with few rows, the first ones after those of the states: no key
 * must be found first.
 */
export function planCellsTogether(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Statement {
  const accounts = accountList(states.map(getAccount));
  const conditions = new Conditions()
    .add(`(account, workchain) IN ${accounts}`)
    .add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  const isOther = `(account, workchain, lt) NOT IN ${stateList(states)}`;
  return {
    ...conditions.statement(
      `SELECT workchain, account, boc FROM ${databases.base}.account_cells PREWHERE ${conditions.text}` +
        ` ORDER BY account, workchain, ${isOther}, lt LIMIT ${CELLS_OF_ACCOUNT} BY account, workchain`,
    ),
    mostRows: states.length * ROWS_OF_ACCOUNT,
  };
}

const ARRAYS = 'arrayZip({accounts:Array(String)}, {accounts_workchains:Array(Int32)}, {lts:Array(UInt64)})';

/** Keys (account, workchain, lt) as literals. */
function stateList(states: readonly StateKey[]): string {
  return `(${states.map((state) => accountLiteral(getAccount(state), getLt(state))).join(',')})`;
}

function getLt({ lt }: StateKey): bigint {
  return BigInt(lt);
}
