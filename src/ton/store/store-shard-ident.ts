import type { CellBuilder } from '../cell/cell-builder.ts';
import type { ShardIdent } from '../tlb/shard-ident.ts';

// shard_ident$00 shard_pfx_bits:(#<= 60) workchain_id:int32 shard_prefix:uint64 = ShardIdent;
export function storeShardIdent(builder: CellBuilder, { workchain, shard, prefixBits }: ShardIdent): void {
  builder.uint(0, 2).uint(prefixBits, 6).int(workchain, 32);
  builder.u64(shard & ~(1n << BigInt(63 - prefixBits)));
}
