import { toBase64 } from '../../../../ton/hash/base64.ts';
import type { BlockRow } from '../../read/block-row.ts';
import { findBlock } from '../../read/find-block.ts';
import { readMasterchainBlock } from '../../read/read-blocks.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import { NotInIndex } from '../errors.ts';
import { blockName } from '../format/block-id.ts';

/** Which block a request asks for; `shard` unsigned. The hashes count only if both are given. */
export interface BlockQuery {
  readonly workchain: number;
  readonly shard: bigint;
  readonly seqno: number;
  readonly root_hash: Uint8Array | undefined;
  readonly file_hash: Uint8Array | undefined;
}

const MASTERCHAIN = 0x8000000000000000n;

/**
 * The block of exactly this shard.
 * @throws NotInIndex: the block is not visible, or has other hashes
 */
export async function readBlock(scope: ReadScope, query: BlockQuery): Promise<BlockRow> {
  const { workchain, shard, seqno, root_hash, file_hash } = query;
  const name = blockName(workchain, shard, seqno);
  const row = shard === 0n ? null : await findBlock(scope, { workchain, shard, seqno });
  // A relative of the shard may have the same seqno; it is another block.
  if (!row || BigInt(row.shard) !== shard) throw new NotInIndex(`block ${name} is not indexed`);
  if (root_hash === undefined || file_hash === undefined) return row;
  if (toBase64(root_hash) === row.root_hash && toBase64(file_hash) === row.file_hash) return row;
  throw new NotInIndex(`block ${name} has other hashes`);
}

/** @throws NotInIndex: outside the visible range, or missing in a store of unrelated blocks */
export async function readMasterchain(scope: ReadScope, seqno: number): Promise<BlockRow> {
  const row = await readMasterchainBlock(scope, seqno);
  if (!row) throw notIndexed(seqno);
  return row;
}

/**
 * The masterchain block whose state is asked for: the newest visible one unless named.
 * @throws NotInIndex outside the visible range
 */
export function stateSeqno(scope: ReadScope, seqno: number | undefined): number {
  const { first, last } = scope.visible;
  if (seqno === undefined) return last;
  if (seqno < first || seqno > last) throw notIndexed(seqno);
  return seqno;
}

/** The failure of a masterchain seqno that is not visible. */
export function notIndexed(seqno: number): NotInIndex {
  return new NotInIndex(`block ${blockName(-1, MASTERCHAIN, seqno)} is not indexed`);
}
