import type { CellSlice } from '../boc/cell-slice.ts';
import { badValue, expectTag } from './tag.ts';

/** A shard: `shard` is the prefix with the bit after it set, unsigned 64 bits, as everyone writes it. */
export interface ShardIdent {
  readonly workchain: number;
  readonly shard: bigint;
  readonly prefixBits: number;
}

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;
//
// The prefix has no bit below its length, except that the zerostate of mainnet's workchain 0 writes the marker itself.
export function loadShardIdent(slice: CellSlice): ShardIdent {
  expectTag(slice, 2, 0, 'ShardIdent');
  const prefixBits = slice.uint(6);
  if (prefixBits > 60) throw badValue(slice, 'ShardIdent.shard_pfx_bits', 'at most 60', prefixBits);
  const workchain = slice.int(32);
  const prefix = slice.u64();
  const marker = 1n << BigInt(63 - prefixBits);
  if ((prefix & (marker - 1n)) !== 0n) {
    throw badValue(slice, 'ShardIdent.shard_prefix', `${prefixBits} bits`, prefix);
  }
  return { workchain, shard: prefix | marker, prefixBits };
}

/** The lowest bit that is set: it marks the end of a shard's prefix. */
function getMarker(shard: bigint): bigint {
  return shard & -shard;
}

/** The shard that was split into this one and its sibling. */
export function parentShard(shard: bigint): bigint {
  const marker = getMarker(shard);
  return (shard & ~marker) | (marker << 1n);
}

/** The two shards that a shard splits into, or that merge into it. */
export function childShards(shard: bigint): [left: bigint, right: bigint] {
  const half = getMarker(shard) >> 1n;
  return [shard - half, shard + half];
}

/** True if one shard contains the other, or they are equal. */
export function shardsTouch(a: bigint, b: bigint): boolean {
  const [outer, inner] = getMarker(a) >= getMarker(b) ? [a, b] : [b, a];
  const marker = getMarker(outer);
  return ((inner ^ outer) & ~(2n * marker - 1n)) === 0n;
}
