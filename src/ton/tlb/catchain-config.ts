import type { CellSlice } from '../boc/cell-slice.ts';
import { badValue, unknownTag } from './tag.ts';

/** Configuration parameter 28: how long groups of validators work, and how many validators a shard has. Seconds. */
export interface CatchainConfig {
  readonly shuffleMasterchain: boolean;
  readonly masterchainLifetime: number;
  readonly shardLifetime: number;
  readonly shardValidatorsLifetime: number;
  readonly shardValidators: number;
}

// catchain_config#c1 mc_catchain_lifetime:uint32 shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32
//   shard_validators_num:uint32 = CatchainConfig;
// catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool mc_catchain_lifetime:uint32
//   shard_catchain_lifetime:uint32 shard_validators_lifetime:uint32 shard_validators_num:uint32 = CatchainConfig;
export function loadCatchainConfig(slice: CellSlice): CatchainConfig {
  const tag = slice.uint(8);
  if (tag !== 0xc1 && tag !== 0xc2) throw unknownTag(slice, 'CatchainConfig', tag);
  const flags = tag === 0xc2 ? slice.uint(8) : 0;
  if (flags > 1) throw badValue(slice, 'CatchainConfig flags', 0, flags >> 1);
  return {
    shuffleMasterchain: flags === 1,
    masterchainLifetime: slice.uint(32),
    shardLifetime: slice.uint(32),
    shardValidatorsLifetime: slice.uint(32),
    shardValidators: slice.uint(32),
  };
}
