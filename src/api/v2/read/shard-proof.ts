import type { Cell } from '../../../ton/cell/cell.ts';
import { readCell } from '../../../ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { openBlock } from '../../../ton/decode/open-block.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { makeProof } from '../../../ton/proofs/make-proof.ts';
import { visitHeader, visitMcExtra } from '../../../ton/proofs/visit-block.ts';
import { visitShard } from '../../../ton/proofs/visit-state.ts';
import { Visits } from '../../../ton/proofs/visits.ts';
import { loadMcBlockExtra } from '../../../ton/tlb/block/mc-block-extra.ts';
import type { TopBlock } from '../../../ton/tlb/block/shard-hashes.ts';
import { loadWholeCell } from '../../../ton/tlb/whole-cell.ts';
import { readStep } from '../../entities/blocks/masterchain.ts';
import type { BlockRow } from '../../entities/blocks/model.ts';
import { previousBlocks } from '../../entities/blocks/previous.ts';
import { blockIdText, readRawBlocks } from '../../entities/blocks/raw.ts';
import { ancestorShards } from '../../entities/blocks/shard-text.ts';
import { NotHeldError } from '../../http/errors/http-error.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type BlockId, blockName } from '../format/block-id.ts';

/** A block, and its proof in the block before it on the way from the masterchain block. Base64 of a bag. */
export interface ShardLink {
  readonly id: BlockId;
  readonly proof: string;
}

/** A masterchain step commits a few blocks of each shard. */
const STEP_BLOCKS = 10_000;

/**
 * The way from the masterchain block that committed a shard block down to it: first the shard's top block, proven by
 * ShardHashes, then each previous block, proven by the header after it. Empty for the masterchain block.
 * @throws NotHeldError a block of the way is not stored
 */
export async function readShardLinks(
  scope: ReadScope,
  master: BlockRow,
  wanted: BlockRow,
): Promise<readonly ShardLink[]> {
  if (wanted.workchain === master.workchain) return [];
  const step = await readStep(scope, master.seqno, { limit: STEP_BLOCKS, offset: 0 });
  const rows = new Map(step.map((row) => [toKey(row), row]));
  const getBag = await readBags(scope, step);
  const top = findTop(getBag(master), wanted);
  const ids: BlockId[] = [top];
  const proofs = [proofOfTop(readCell(getBag(master)), wanted)];
  for (
    let at = rows.get(toKey(top));
    toKey(ids.at(-1)!) !== toKey(wanted);
    at = rows.get(toKey(ids.at(-1)!))
  ) {
    if (!at) throw new NotHeldError(`no way from masterchain block ${master.seqno} to ${toName(wanted)}`);
    ids.push(getPrevious(at, wanted));
    proofs.push(proofOfHeader(readCell(getBag(at))));
  }
  return ids.map((id, index) => ({ id, proof: proofs[index]! }));
}

/** Bags of blocks by row. */
async function readBags(scope: ReadScope, rows: readonly BlockRow[]): Promise<(row: BlockRow) => Uint8Array> {
  const keys = rows.map(({ workchain, shard, seqno, mc_seqno }) => ({
    workchain,
    shard: BigInt(shard),
    seqno,
    mcSeqno: mc_seqno,
  }));
  const bags = await readRawBlocks(scope, keys);
  return (row) => {
    const bag = bags.get(toKey(row));
    if (!bag) throw new NotHeldError(`the bytes of block ${toName(row)} are not stored`);
    return bag;
  };
}

/** Header proof of a stored block, base64. @throws NotHeldError its bytes are not stored */
export async function readHeaderProof(scope: ReadScope, row: BlockRow): Promise<string> {
  return proofOfHeader(readCell((await readBags(scope, [row]))(row)));
}

function findTop(master: Uint8Array, wanted: BlockRow): BlockId {
  const { boc, extra } = openBlock(master);
  const { shards } = loadWholeCell(boc, extra.custom, 'McBlockExtra', loadMcBlockExtra);
  // A shard that was split in this step has two: the way leads through the right one, as in `visitShard`.
  const found = shards.findLast(
    ({ workchain, shard }) => workchain === wanted.workchain && isRelated(shard, BigInt(wanted.shard)),
  );
  if (!found) throw new NotHeldError(`the masterchain block names no shard of ${toName(wanted)}`);
  return idOfTop(found);
}

function idOfTop({ workchain, shard, descr }: TopBlock): BlockId {
  const [root_hash, file_hash] = [toBase64(descr.rootHash), toBase64(descr.fileHash)];
  return { workchain, shard, seqno: descr.seqno, root_hash, file_hash };
}

function proofOfTop(master: Cell, { workchain, shard }: BlockRow): string {
  const visits = new Visits();
  const { shardHashes } = visitMcExtra(visits, visitHeader(visits, master).extra);
  visitShard(visits, shardHashes, { workchain, prefix: BigInt(shard) });
  return bagText(makeProof(master, visits));
}

function proofOfHeader(block: Cell): string {
  const visits = new Visits();
  visitHeader(visits, block);
  return bagText(makeProof(block, visits));
}

function bagText(cell: Cell): string {
  return toBase64(writeBag(cell, { index: false }));
}

/** The previous block of the same shard, of its parent or of a child; after a merge the one on the way. */
function getPrevious(row: BlockRow, wanted: BlockRow): BlockId {
  const related = previousBlocks(row).findLast(({ shard }) => isRelated(shard, BigInt(wanted.shard)));
  if (!related) throw new NotHeldError(`no way from ${toName(row)} to ${toName(wanted)}`);
  const { rootHash: root_hash, fileHash: file_hash, ...id } = related;
  return { ...id, root_hash, file_hash };
}

function isRelated(a: bigint, b: bigint): boolean {
  return a === b || ancestorShards(a).includes(b) || ancestorShards(b).includes(a);
}

function toKey({ workchain, shard, seqno }: BlockId): string {
  return blockIdText({ workchain, shard: BigInt(shard), seqno });
}

function toName({ workchain, shard, seqno }: BlockId): string {
  return blockName(workchain, BigInt(shard), seqno);
}
