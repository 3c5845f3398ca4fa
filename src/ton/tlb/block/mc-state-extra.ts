import type { CellSlice } from '../../boc/cell-slice.ts';
import { type ExtBlkRef, loadExtBlkRef } from '../ext-blk-ref.ts';
import { expectTag } from '../tag.ts';

/** What only a masterchain state has, as references of the slice. */
export interface McStateExtra {
  /** Root of ShardHashes; -1 for none. */
  readonly shardHashes: number;
  readonly configAddr: Uint8Array;
  /** Root of the dictionary of parameters. */
  readonly config: number;
  /** Cell of `McStateHistory`. */
  readonly history: number;
}

/** Validators and earlier blocks, in a cell of their own. */
export interface McStateHistory {
  readonly validatorListHashShort: number;
  readonly catchainSeqno: number;
  readonly nxCcUpdated: boolean;
  /** Root of the dictionary seqno → KeyExtBlkRef of all earlier masterchain blocks; -1 for none. */
  readonly prevBlocks: number;
  readonly afterKeyBlock: boolean;
  readonly lastKeyBlock: ExtBlkRef | null;
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
//   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//      last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
//   global_balance:CurrencyCollection = McStateExtra;
export function loadMcStateExtra(slice: CellSlice): McStateExtra {
  expectTag(slice, 16, 0xcc26, 'McStateExtra');
  return {
    shardHashes: slice.maybeRef(),
    configAddr: slice.bytes(32),
    config: slice.ref(),
    history: slice.ref(),
  };
}

const KEY_MAX_LT_BITS = 1 + 64;

// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;
// _ key:Bool max_end_lt:uint64 = KeyMaxLt;
export function loadMcStateHistory(slice: CellSlice): McStateHistory {
  slice.skipBits(16);
  const validators = {
    validatorListHashShort: slice.uint(32),
    catchainSeqno: slice.uint(32),
    nxCcUpdated: slice.bit(),
  };
  const prevBlocks = slice.maybeRef();
  slice.skipBits(KEY_MAX_LT_BITS);
  const afterKeyBlock = slice.bit();
  const lastKeyBlock = slice.bit() ? loadExtBlkRef(slice) : null;
  return { ...validators, prevBlocks, afterKeyBlock, lastKeyBlock };
}

/** Skips the extra of a leaf of `prevBlocks` and reads the block. */
// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
export function loadOldBlock(slice: CellSlice): ExtBlkRef & { readonly isKey: boolean } {
  slice.skipBits(KEY_MAX_LT_BITS);
  return { isKey: slice.bit(), ...loadExtBlkRef(slice) };
}
