import type { BlockId } from '../block-id.ts';

/** The end bit of a shard: the lowest bit that is set. The bits above it are the prefix of the accounts. */
function endBit(shard: bigint): bigint {
  return shard & -shard;
}

/** Whether every account of `inner` is one of `outer` (TL-B ShardIdent; whitepaper 2.1.8). */
function contains(outer: bigint, inner: bigint): boolean {
  const end = endBit(outer);
  if (endBit(inner) > end) return false;
  return (outer ^ inner) >> BigInt(end.toString(2).length) === 0n;
}

/** Whether two shards of one workchain have accounts in common: one of them contains the other. */
export function overlap(a: BlockId, b: BlockId): boolean {
  return a.workchain === b.workchain && (contains(a.shard, b.shard) || contains(b.shard, a.shard));
}
