import { LRUCache } from 'lru-cache';
import { readSuspendedList, type SuspendedList } from '../../ton/contracts/custody/suspended-list.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { readNewestMasterchainBlock } from '../entities/blocks/masterchain.ts';
import { answerCache } from '../query/answer-cache.ts';
import type { ReadScope } from '../query/scope.ts';
import { within } from '../query/scope.ts';
import { identifier, sql } from '../query/sql.ts';

const NO_ACCOUNTS: ReadonlySet<string> = new Set();

/** By the first visible seqno and the key block's; about 200 accounts on mainnet. */
const getLists = answerCache(
  () => new LRUCache<string, { readonly list: SuspendedList | null }>({ max: 32 }),
);

/**
 * Accounts (raw) that the configuration suspends after a masterchain block, at its time, by the last key block of the
 * index until then; none without a key block. One query for a key block and the following block, and one for the block
 * itself if it is not cached.
 */
export async function readSuspended(scope: ReadScope, mcSeqno: number): Promise<ReadonlySet<string>> {
  const block = await readNewestMasterchainBlock(scope, mcSeqno);
  if (!block) return NO_ACCOUNTS;
  // All blocks until the next key block have the configuration of the last.
  const list = await readList(scope, block.key_block ? block.seqno : block.prev_key_block_seqno);
  return list && block.gen_utime < list.until ? list.accounts : NO_ACCOUNTS;
}

async function readList(scope: ReadScope, keySeqno: number): Promise<SuspendedList | null> {
  const suspended = getLists(scope);
  const name = `${scope.visible.first} ${keySeqno}`;
  const known = suspended.get(name);
  if (known) return known.list;
  const table = identifier(scope.databases.base, 'config_params');
  const keyBlock = sql`SELECT max(mc_seqno) FROM ${table} WHERE param = 34 AND ${within({ ...scope.visible, last: keySeqno })}`;
  const [row] = await scope.query(
    sql`SELECT base64Encode(boc) FROM ${table} WHERE param = 44 AND mc_seqno = (${keyBlock})`,
  );
  const list = row ? readSuspendedList(fromBase64(String(row[0]))!) : null;
  suspended.set(name, { list });
  return list;
}
