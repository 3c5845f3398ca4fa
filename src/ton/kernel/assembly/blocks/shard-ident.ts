import { bad, expectTag, uint, uint64 } from '../bags/cursor';

export let identWorkchain: i32 = 0;
/** The prefix with the bit after it set. */
export let identShard: u64 = 0;

/** shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent; */
export function shardIdent(): void {
  expectTag(2, 0, 'ShardIdent');
  const prefixBits = uint(6);
  if (prefixBits > 60) bad('ShardIdent.shard_pfx_bits', 60, prefixBits);
  identWorkchain = <i32>uint(32);
  const prefix = uint64(64);
  const marker = (<u64>1) << <u64>(63 - prefixBits);
  if ((prefix & (marker - 1)) != 0) bad('ShardIdent.shard_prefix', prefixBits, prefix);
  identShard = prefix | marker;
}
