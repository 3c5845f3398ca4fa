/** Facts of transactions that blocks do not contain, from the API over the same index. */
import { list } from './api-rows.ts';
import { type CommittedBlock, coreTransactions } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';

const KNOWN = new WeakMap<LakeServer, ReadonlyMap<string, Row>>();

/** All transactions of the API by hash, read once. */
export async function apiTransactions(server: LakeServer): Promise<ReadonlyMap<string, Row>> {
  const known = KNOWN.get(server);
  if (known) return known;
  const all = (await list(server, 'transactions', 'transactions', '&sort=asc')) as readonly Row[];
  const byHash = new Map(all.map((one) => [String(one.hash), one]));
  KNOWN.set(server, byHash);
  return byHash;
}

const EMPTY: Row = {};

/** Rows of `transactions`. */
export async function transactionRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const known = await apiTransactions(server);
  return blocks.flatMap(coreTransactions).map((row) => {
    const one = known.get(String(row.hash)) ?? EMPTY;
    const [before, after] = [one.account_state_before as Row, one.account_state_after as Row];
    const split = (one.description as Row | undefined)?.split_info as Row | undefined;
    return {
      ...row,
      trace_id: one.trace_id,
      account_state_code_hash_before: before?.code_hash,
      account_state_code_hash_after: after?.code_hash,
      account_state_balance_before: before?.balance,
      account_state_balance_after: after?.balance,
      installed: (one.description as Row | undefined)?.installed,
      split_info_cur_shard_pfx_len: split?.cur_shard_pfx_len,
      split_info_acc_split_depth: split?.acc_split_depth,
      split_info_this_addr: split?.this_addr,
      split_info_sibling_addr: split?.sibling_addr,
    };
  });
}

/** Rows of `account_states`: the state that a block gives each account, from its last transaction. */
export async function stateRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const known = await apiTransactions(server);
  return blocks.flatMap(lastOfAccounts).map((row) => {
    const state = (known.get(String(row.hash))?.account_state_after ?? EMPTY) as Row;
    return {
      account: row.account,
      hash: row.account_state_hash_after,
      balance: state.balance ?? 0,
      account_status: row.end_status,
      timestamp: row.now,
      last_trans_hash: row.hash,
      last_trans_lt: row.lt,
      frozen_hash: state.frozen_hash,
      data_hash: state.data_hash,
      code_hash: state.code_hash,
    };
  });
}

/** The last transaction of each account in a block. */
export function lastOfAccounts(block: CommittedBlock): readonly Row[] {
  const last = new Map<string, Row>();
  for (const row of coreTransactions(block)) {
    const before = last.get(String(row.account));
    if (!before || BigInt(String(row.lt)) > BigInt(String(before.lt))) last.set(String(row.account), row);
  }
  return [...last.values()];
}

/** The last transaction of each account in all blocks. */
export function lastTransactions(blocks: readonly CommittedBlock[]): ReadonlyMap<string, Row> {
  const last = new Map<string, Row>();
  for (const row of blocks.flatMap(lastOfAccounts)) {
    const before = last.get(String(row.account));
    if (!before || BigInt(String(row.lt)) > BigInt(String(before.lt))) last.set(String(row.account), row);
  }
  return last;
}
