/** Upper-case hex without prefix and padding, as v3 writes shards. `shard` is unsigned, decimal text or bigint. */
export function shardHex(shard: string | bigint): string {
  return BigInt(shard).toString(16).toUpperCase();
}

/** Signed decimal, as v2 writes shards. */
export function shardSigned(shard: string | bigint): string {
  return BigInt.asIntN(64, BigInt(shard)).toString();
}

/** The shard that splits into this one. */
export function parentShard(shard: bigint): bigint {
  const bit = lowestBit(shard);
  return (shard & ~bit) | (bit << 1n);
}

/** The two shards that this one splits into, left first. */
export function childShards(shard: bigint): readonly [bigint, bigint] {
  const half = lowestBit(shard) >> 1n;
  return [shard - half, shard + half];
}

/** The shards that contain this one, nearest first; the whole workchain has none. */
export function ancestorShards(shard: bigint): readonly bigint[] {
  const found: bigint[] = [];
  for (let at = shard; at !== WHOLE_WORKCHAIN; found.push(at)) at = parentShard(at);
  return found;
}

const WHOLE_WORKCHAIN = 1n << 63n;

function lowestBit(shard: bigint): bigint {
  return shard & -shard;
}
