import type { CellSlice } from '../../boc/cell-slice.ts';
import { type ConfigParams, loadConfigParams } from '../config-params.ts';
import { countSignatures } from '../crypto-signature.ts';
import { type InMsg, loadInMsg } from '../message/in-msg.ts';
import { expectTag } from '../tag.ts';
import { loadWholeCell } from '../whole-cell.ts';
import { loadShardFees, type ShardFeeCreated } from './shard-fees.ts';
import { loadShardHashes, type TopBlock } from './shard-hashes.ts';

export interface McBlockExtra {
  readonly keyBlock: boolean;
  readonly shards: readonly TopBlock[];
  readonly shardFees: ShardFeeCreated;
  readonly prevBlkSignatures: number;
  readonly recoverCreateMsg: InMsg | null;
  readonly mintMsg: InMsg | null;
  /** Only in key blocks. */
  readonly config: ConfigParams | null;
}

// masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
//   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair)
//      recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
//   config:key_block?ConfigParams = McBlockExtra;
export function loadMcBlockExtra(slice: CellSlice): McBlockExtra {
  expectTag(slice, 16, 0xcca5, 'McBlockExtra');
  const keyBlock = slice.bit();
  const root = slice.maybeRef();
  const shards = root < 0 ? [] : loadShardHashes(slice.boc, root);
  const shardFees = loadShardFees(slice);
  const rest = loadWholeCell(slice.boc, slice.ref(), 'McBlockExtra', loadSpecials);
  const config = keyBlock ? loadConfigParams(slice) : null;
  return { keyBlock, shards, shardFees, ...rest, config };
}

function loadSpecials(slice: CellSlice) {
  const signatures = slice.maybeRef();
  return {
    prevBlkSignatures: signatures < 0 ? 0 : countSignatures(slice.boc, signatures),
    recoverCreateMsg: loadMaybeInMsg(slice),
    mintMsg: loadMaybeInMsg(slice),
  };
}

// (Maybe ^InMsg)
function loadMaybeInMsg(slice: CellSlice): InMsg | null {
  const cell = slice.maybeRef();
  return cell < 0 ? null : loadWholeCell(slice.boc, cell, 'InMsg', loadInMsg);
}
