import { accountKey, accountKeys, toAccountSet, toHash } from '../../query/keys.ts';
import type { ReadLimits, ReadScope } from '../../query/scope.ts';
import { i32s, identifier, join, type Sql, sql, texts, u32, u64s, unsafeSql } from '../../query/sql.ts';
import { type AccountStateRow, getAccount } from './model.ts';

/** The state whose cells are wanted. */
export type StateKey = Pick<AccountStateRow, 'workchain' | 'account' | 'lt'>;

/**
 * Maximum rows read together for each account: some granules of 256. Above that, the store refuses the statement before
 * it reads, and they are read by the keys of their two cells.
 */
const ROWS_OF_ACCOUNT = 1_024;
/** The state's own cell, the first one, and others of the same lt. */
export const CELLS_OF_ACCOUNT = 4;

const KEY = sql`account, workchain, lt`;

/**
 * Rows (workchain, account, boc): for each state its own cell and the account's first, perhaps with others of the same
 * lt.
 */
export function planAccountCells(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Sql {
  const cells = identifier(databases.base, 'account_cells');
  const upTo = sql`mc_seqno <= ${u32(visible.last)}`;
  const [own, first] = states.length === 1 ? keysOfOne(cells, states, upTo) : keysOfMany(cells, states, upTo);
  return sql`SELECT workchain, account, boc FROM ${cells} PREWHERE (${KEY}) IN ${own} OR (${KEY}) IN ${first}`;
}

/** Sets of keys (account, workchain, lt): of states, and of the first cells of their accounts. */
type KeysOfCells = readonly [own: Sql, first: Sql];

/** The first cell in the order of the table: no other is read, however many there are. */
function keysOfOne(cells: Sql, states: readonly StateKey[], upTo: Sql): KeysOfCells {
  const { hash, workchain } = getAccount(states[0] as StateKey);
  const account = sql`account = ${toHash(hash)} AND workchain = ${unsafeSql(String(Math.trunc(workchain)))}`;
  const first = sql`(SELECT ${KEY} FROM ${cells} PREWHERE ${account} AND ${upTo} ORDER BY ${KEY} LIMIT 1)`;
  return [stateList(states), first];
}

function keysOfMany(cells: Sql, states: readonly StateKey[], upTo: Sql): KeysOfCells {
  const accounts = states.map(getAccount);
  const ids = texts(accounts.map(({ hash }) => hash));
  const workchains = i32s(accounts.map(({ workchain }) => workchain));
  const zipped = sql`arrayZip(${ids}, ${workchains}, ${u64s(states.map(getLt))})`;
  const own = sql`(SELECT toFixedString(unhex(s.1), 32), s.2, s.3 FROM (SELECT arrayJoin(${zipped}) AS s))`;
  const first = sql`(SELECT account, workchain, min(lt) FROM ${cells} PREWHERE (account, workchain) IN ${toAccountSet(accounts)} AND ${upTo} GROUP BY account, workchain)`;
  return [own, first];
}

/** Rows (workchain, account, boc): the cells of states, as their blocks have them. */
export function planOwnCells({ databases }: Pick<ReadScope, 'databases'>, states: readonly StateKey[]): Sql {
  const cells = identifier(databases.base, 'account_cells');
  return sql`SELECT workchain, account, boc FROM ${cells} PREWHERE (${KEY}) IN ${stateList(states)}`;
}

/**
 * Like `planAccountCells`, in one pass over accounts with few rows, the first ones after those of the states: no key
 * must be found first. To be read within `limitsTogether`.
 */
export function planCellsTogether(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  states: readonly StateKey[],
): Sql {
  const cells = identifier(databases.base, 'account_cells');
  const accounts = sql`(account, workchain) IN ${accountKeys(states.map(getAccount))}`;
  const isOther = sql`(${KEY}) NOT IN ${stateList(states)}`;
  const few = unsafeSql(`${CELLS_OF_ACCOUNT}`);
  return sql`SELECT workchain, account, boc FROM ${cells} PREWHERE ${accounts} AND mc_seqno <= ${u32(visible.last)} ORDER BY account, workchain, ${isOther}, lt LIMIT ${few} BY account, workchain`;
}

/** Bounds of `planCellsTogether`. */
export function limitsTogether(states: readonly StateKey[]): ReadLimits {
  return { mostRows: states.length * ROWS_OF_ACCOUNT };
}

/** Keys (account, workchain, lt) as literals. */
function stateList(states: readonly StateKey[]): Sql {
  return sql`(${join(
    states.map((state) => accountKey(getAccount(state), getLt(state))),
    ',',
  )})`;
}

function getLt({ lt }: StateKey): bigint {
  return BigInt(lt);
}
