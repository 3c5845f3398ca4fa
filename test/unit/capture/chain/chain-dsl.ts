import { createHash } from 'node:crypto';
import { type BlockIdExt, blockIdText } from '../../../../src/capture/block-id.ts';
import type { LinkedBlock } from '../../../../src/capture/chain/continuity.ts';
import type { ShardTop } from '../../../../src/capture/shard-top.ts';

/** A block made of nothing but its links; `id` and `header` are what continuity reads. */
export interface TestBlock extends LinkedBlock {
  readonly stateBefore: Uint8Array;
}

export interface TestBlockFacts {
  readonly globalId?: number;
  readonly vertSeqno?: number;
  /** Makes another block at the same place. */
  readonly salt?: string;
}

export const hash = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

/** `0:6000` → workchain 0, shard 6000000000000000. */
function parseShard(text: string): { workchain: number; shard: bigint } {
  const [workchain = '', prefix = ''] = text.split(':');
  return { workchain: Number(workchain), shard: BigInt(`0x${prefix.padEnd(16, '0')}`) };
}

/** The id of a block or zerostate at a place, with hashes that depend on the place and `salt` only. */
export function idAt(shard: string, seqno: number, salt = ''): BlockIdExt {
  const place = { ...parseShard(shard), seqno };
  const name = `${blockIdText(place)}${salt}`;
  return { ...place, rootHash: hash(`root ${name}`), fileHash: hash(`file ${name}`) };
}

/** A block of `shard` after `parents`: one after its own shard or its parent's, two for a merge. */
export function blockAfter(
  shard: string,
  parents: readonly { readonly id: BlockIdExt }[],
  { globalId = -239, vertSeqno = 0, salt = '' }: TestBlockFacts = {},
): TestBlock {
  const id = idAt(shard, Math.max(...parents.map((parent) => parent.id.seqno)) + 1, salt);
  return {
    id,
    origin: `test ${blockIdText(id)}`,
    header: {
      globalId,
      vertSeqno,
      prevRefs: parents.map((parent) => parent.id),
      afterMerge: parents.length > 1,
    },
    stateBefore: hash(`state ${parents.map((parent) => blockIdText(parent.id)).join()}`),
  };
}

export const zerostate = (shard: string) => ({ id: idAt(shard, 0) });
export const stateAfter = (id: BlockIdExt) => hash(`state ${blockIdText(id)}`);

/** Names blocks as the newest of their shards, committed by masterchain block `regMcSeqno`. */
export function topsOf(blocks: readonly { readonly id: BlockIdExt }[], regMcSeqno: number): ShardTop[] {
  return blocks.map(({ id }) => ({ ...id, regMcSeqno }));
}

/** Finds blocks by id, as a source would. */
export function shelfOf(blocks: readonly TestBlock[]) {
  const byPlace = new Map(blocks.map((block) => [blockIdText(block.id), block]));
  return async (id: BlockIdExt) => byPlace.get(blockIdText(id)) ?? null;
}

export const names = (blocks: readonly { readonly id: BlockIdExt }[]) =>
  blocks.map(({ id }) => blockIdText(id));
