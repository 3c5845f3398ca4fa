import { LRUCache } from 'lru-cache';
import type { PackedState } from '../../../ton/columns/packed-state.ts';
import { answerCache, rangeName } from '../../query/answer-cache.ts';
import { toHashes, toNumbers } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import { SharedLookUp } from '../../query/shared-look-up.ts';
import { identifier, type Sql, sql } from '../../query/sql.ts';
import { findStateByHash } from '../accounts/indexed-states.ts';
import { ACCOUNT_STATE_SELECT, type AccountStateRow, accountStateRow } from '../accounts/model.ts';
import { NONE_ACCOUNT_HASH } from '../accounts/none-account.ts';
import type { TransactionRow } from './model.ts';

/** States by the base64 of their hash, which they follow from. */
export type EarlierStates = ReadonlyMap<string, PackedState | AccountStateRow>;

/** States by the base64 of their hash; hashes that the store did not have, and the visible range that this is true of. */
const getKnown = answerCache(() => ({
  states: new LRUCache<string, AccountStateRow>({ max: 50_000 }),
  absent: new LRUCache<string, string>({ max: 50_000 }),
}));

/**
 * The states before those transactions whose block omits them: they are the states after the previous transactions,
 * which are on the same page or in an earlier block, if the store has it. One query, or none.
 */
export async function readEarlierStates(
  scope: ReadScope,
  rows: readonly TransactionRow[],
): Promise<EarlierStates> {
  const states = new Map<string, PackedState | AccountStateRow>();
  for (const { state_hash_after, states: sides } of rows)
    if (sides.after) states.set(state_hash_after, sides.after);
  const { states: cache, absent } = getKnown(scope);
  const range = rangeName(scope.visible);
  const missing: TransactionRow[] = [];
  for (const row of rows) {
    if (!isWanted(row) || states.has(row.state_hash_before)) continue;
    const known = cache.get(row.state_hash_before) ?? findStateBefore(scope, row);
    if (known) states.set(known.hash, known);
    else if (known === undefined && absent.get(row.state_hash_before) !== range) missing.push(row);
  }
  if (missing.length === 0) return states;
  const found = await readStates(scope, missing.filter(isNotBetween(rows)));
  for (const { state_hash_before: hash } of missing) {
    const state = found.get(hash);
    if (!state) continue;
    states.set(hash, state);
    cache.set(hash, state);
  }
  for (const { state_hash_before } of missing)
    if (!states.has(state_hash_before)) absent.set(state_hash_before, range);
  return states;
}

/** The state before a transaction from the look-up index, as `findStateByHash`. */
function findStateBefore(scope: ReadScope, row: TransactionRow): AccountStateRow | null | undefined {
  const account = { workchain: row.workchain, hash: row.account };
  const { state_hash_before: hash, prev_trans_lt: lt, mc_seqno: mcSeqno } = row;
  return findStateByHash(scope, account, { hash, lt: BigInt(lt), mcSeqno });
}

function isWanted({ states, state_hash_before }: TransactionRow): boolean {
  return states.before === null && state_hash_before !== NONE_ACCOUNT_HASH;
}

/** Between two transactions of one account in one block nothing but the hash is known anywhere. */
function isNotBetween(rows: readonly TransactionRow[]): (row: TransactionRow) => boolean {
  const place = ({ account, shard, seqno }: TransactionRow, lt: string) =>
    `${account} ${lt} ${shard} ${seqno}`;
  const made = new Set(rows.map((row) => place(row, row.lt)));
  return (row) => !made.has(place(row, row.prev_trans_lt));
}

/** Key of the state before a transaction. */
type Before = Pick<TransactionRow, 'account' | 'prev_trans_lt'>;
type ByHash = ReadonlyMap<string, AccountStateRow>;

const BEFORE = new SharedLookUp<ByHash>((scope, keys) =>
  readByHash(
    scope,
    keys.map((key) => {
      const [account = '', prev_trans_lt = ''] = key.split(' ');
      return { account, prev_trans_lt };
    }),
  ),
);

async function readStates(scope: ReadScope, rows: readonly Before[]): Promise<ByHash> {
  if (rows.length === 0) return new Map();
  return BEFORE.find(
    scope,
    rows.map(({ account, prev_trans_lt }) => `${account} ${prev_trans_lt}`),
  );
}

async function readByHash(scope: ReadScope, rows: readonly Before[]): Promise<ByHash> {
  const states = (await scope.query(planEarlierStates(scope.databases.base, rows))).map(accountStateRow);
  return new Map(states.map((state) => [state.hash, state]));
}

/** Rows of account_states by account and lt. */
export function planEarlierStates(database: string, rows: readonly Before[]): Sql {
  const accounts = [...new Set(rows.map(({ account }) => account))];
  const lts = [...new Set(rows.map((row) => BigInt(row.prev_trans_lt)))];
  return sql`SELECT ${ACCOUNT_STATE_SELECT} FROM ${identifier(database, 'account_states')} PREWHERE account IN ${toHashes(accounts)} AND lt IN ${toNumbers(lts)}`;
}
