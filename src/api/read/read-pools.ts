import { assetsOfSwap, SWAP_LOG } from '../../ton/contracts/dedust-pool.ts';
import type { FactsByAddress } from '../classifier-port.ts';
import { type AccountId, accountOfRaw, rawOf } from './account-id.ts';
import { accountList } from './key-lists.ts';
import type { ReadScope } from './read-scope.ts';
import { RowBinary } from './row-binary.ts';
import type { Statement } from './statement.ts';

/** A pool's first messages, among which its first swap is looked for, as for stored actions. */
const FIRST_MESSAGES = 256;

/** Assets of dedust pools by the first swap that they logged; null for those that never swapped. One query. */
export async function readPools(scope: ReadScope, addresses: readonly string[]): Promise<FactsByAddress> {
  const pools = new Map<string, { readonly pool: PoolAssets } | null>(
    addresses.map((address) => [address, null]),
  );
  if (addresses.length === 0) return pools;
  const answer = await scope.queryBytes(planPools(scope, addresses.map(accountOfRaw)));
  for (const rows = new RowBinary(answer); rows.more; ) {
    const address = rawOf(rows.i32(), rows.fixed(32));
    const assets = assetsOfSwap(rows.string());
    if (assets && !pools.get(address)) pools.set(address, { pool: { assets } });
  }
  return pools;
}

interface PoolAssets {
  readonly assets: readonly [string | null, string | null];
}

/** Rows (workchain, account, body): swaps among the first messages of pools, the oldest first. */
export function planPools(
  { databases, visible }: Pick<ReadScope, 'databases' | 'visible'>,
  pools: readonly AccountId[],
): Statement {
  const sources = `SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno FROM ${databases.base}.messages_by_source`;
  const first =
    `SELECT created_lt, hash8 FROM (SELECT account, workchain, created_lt, hash8 FROM (${sources})` +
    ` WHERE (account, workchain) IN ${accountList(pools)} AND source_kind = 'std' AND mc_seqno <= {visible_last:UInt32}` +
    ` ORDER BY account, workchain, created_lt, hash8 LIMIT ${FIRST_MESSAGES} BY account, workchain)`;
  return {
    sql:
      `SELECT source_workchain, source, body FROM ${databases.base}.messages WHERE (created_lt, hash8) IN (${first})` +
      ` AND kind = 'ext_out' AND side = 'out' AND opcode = ${SWAP_LOG} AND mc_seqno <= {visible_last:UInt32} ORDER BY created_lt, hash8`,
    params: { visible_last: visible.last },
  };
}
