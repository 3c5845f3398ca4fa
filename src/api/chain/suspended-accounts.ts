import { readSuspendedList } from '../../ton/contracts/suspended-list.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { cachesOf } from '../read/answer-caches.ts';
import { readNewestMasterchainBlock } from '../read/read-blocks.ts';
import type { ReadScope } from '../read/read-scope.ts';

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Accounts (raw) that the configuration stops after a masterchain block, at its time: as the last key block of the index until then has
 * it, none where there is no key block. Once a block, one query, two where there is a list: what it says is kept.
 */
export async function readSuspended(scope: ReadScope, mcSeqno: number): Promise<ReadonlySet<string>> {
  const { suspended } = cachesOf(scope.context, scope.databases.base);
  const known = suspended.get(mcSeqno);
  if (known) return known;
  const found = await readStopped(scope, mcSeqno);
  suspended.set(mcSeqno, found);
  return found;
}

async function readStopped(scope: ReadScope, mcSeqno: number): Promise<ReadonlySet<string>> {
  const params = `${scope.databases.base}.config_params`;
  const [row] = await scope.query({
    sql:
      `SELECT base64Encode(boc) FROM ${params} WHERE param = 44 AND mc_seqno = ` +
      `(SELECT max(mc_seqno) FROM ${params} WHERE param = 34 AND mc_seqno >= {first:UInt32} AND mc_seqno <= {at:UInt32})`,
    params: { first: scope.visible.first, at: mcSeqno },
  });
  const list = row && readSuspendedList(fromBase64(String(row[0]))!);
  if (!list || list.accounts.size === 0) return NOBODY;
  const block = await readNewestMasterchainBlock(scope, mcSeqno);
  return block && block.gen_utime < list.until ? list.accounts : NOBODY;
}
