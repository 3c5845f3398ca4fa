import { rawAddress } from './account-id.ts';
import {
  ACCOUNT_STATE_SELECT,
  type AccountStateRow,
  accountOf,
  accountStateRow,
} from './account-state-row.ts';
import { hashList } from './key-lists.ts';
import { NONE_ACCOUNT_HASH } from './none-account.ts';
import type { ReadScope } from './read-scope.ts';
import type { Statement } from './statement.ts';
import type { TransactionRow } from './transaction-row.ts';

/** States by `stateKey`. */
export type EarlierStates = ReadonlyMap<string, AccountStateRow>;

/** Where the state before a transaction is found: its account, the lt of the transaction before it, and its hash. */
export function stateKey(row: TransactionRow): string {
  return `${rawAddress(accountOf(row))} ${row.prev_trans_lt} ${row.state_hash_before}`;
}

/**
 * The states before those transactions whose own block does not show them (its state update may leave out what it did
 * not read): they stand in an earlier block, if the store has it. One query, or none.
 */
export async function readEarlierStates(
  scope: ReadScope,
  rows: readonly TransactionRow[],
): Promise<EarlierStates> {
  const made = new Set(rows.map((row) => `${row.account} ${row.lt} ${row.shard} ${row.seqno}`));
  const missing = rows.filter(
    (row) =>
      row.states.before === null &&
      row.state_hash_before !== NONE_ACCOUNT_HASH &&
      // Between two transactions of one account in one block nothing but the hash is known anywhere.
      !made.has(`${row.account} ${row.prev_trans_lt} ${row.shard} ${row.seqno}`),
  );
  if (missing.length === 0) return new Map();
  const found = (await scope.query(planEarlierStates(scope.database, missing))).map(accountStateRow);
  return new Map(found.map((state) => [`${rawAddress(accountOf(state))} ${state.lt} ${state.hash}`, state]));
}

/** Rows of account_states by account and lt. */
export function planEarlierStates(
  database: string,
  rows: readonly Pick<TransactionRow, 'workchain' | 'account' | 'prev_trans_lt'>[],
): Statement {
  const accounts = [...new Set(rows.map(({ account }) => account))];
  const lts = [...new Set(rows.map((row) => BigInt(row.prev_trans_lt)))];
  return {
    sql: `SELECT ${ACCOUNT_STATE_SELECT} FROM ${database}.account_states PREWHERE account IN ${hashList(accounts)} AND lt IN (${lts.join(',')})`,
    params: {},
  };
}
