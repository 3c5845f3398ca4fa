import { isAccount, toAccountSet, toHashes } from '../../query/keys.ts';
import { within } from '../../query/scope.ts';
import { and, i32, type Sql, sql, u32, u64 } from '../../query/sql.ts';
import type { VisibleRange } from '../../version-vector.ts';
import { isScannedByTime, type TransactionFilter } from './filter.ts';
import { BY_LT, BY_TIME } from './order.ts';

/** Every filter as a condition on a transaction row, except messages: right on any path, whatever its own key is. */
export function passes(filter: TransactionFilter, visible: VisibleRange): Sql {
  const {
    accounts = [],
    excludeAccounts = [],
    hashes = [],
    lt,
    startLt,
    endLt,
    startUtime,
    endUtime,
  } = filter;
  const { workchain, shard, seqno, mcSeqno, scan } = filter;
  const [only] = accounts;
  const order = isScannedByTime(filter) ? BY_TIME : BY_LT;
  return and(
    only &&
      (accounts.length === 1 ? isAccount(only) : sql`(account, workchain) IN ${toAccountSet(accounts)}`),
    excludeAccounts.length > 0 && sql`(account, workchain) NOT IN ${toAccountSet(excludeAccounts)}`,
    workchain !== undefined && sql`workchain = ${i32(workchain)}`,
    shard !== undefined && sql`shard = ${u64(shard)}`,
    seqno !== undefined && sql`seqno = ${u32(seqno)}`,
    mcSeqno !== undefined && sql`mc_seqno = ${u32(mcSeqno)}`,
    hashes.length > 0 && sql`hash IN ${toHashes(hashes)}`,
    lt !== undefined && sql`lt = ${u64(lt)}`,
    startLt !== undefined && sql`lt >= ${u64(startLt)}`,
    endLt !== undefined && sql`lt <= ${u64(endLt)}`,
    startUtime !== undefined && sql`now >= ${u32(startUtime)}`,
    endUtime !== undefined && sql`now <= ${u32(endUtime)}`,
    scan?.after && order.after(scan.after, scan.descending),
    within(visible),
  );
}
