import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import type { Trie, TrieForm } from '../../ton/cell/trie.ts';
import type { Money } from '../../ton/currencies/money.ts';
import { type KeyMaxLt, keyMaxLtExtra } from '../../ton/store/augmentations.ts';
import { storeCurrencies } from '../../ton/store/store-currencies.ts';
import { storeExtBlkRef } from '../../ton/store/store-ext-blk-ref.ts';
import { shardHashes } from '../../ton/store/store-shard-hashes.ts';
import type { TopBlock } from '../../ton/tlb/block/shard-hashes.ts';
import type { ExtBlkRef } from '../../ton/tlb/ext-blk-ref.ts';
import type { ChainConfig } from './chain-config.ts';

/** A masterchain block in the list of earlier ones. */
export interface OldBlock extends ExtBlkRef {
  readonly isKey: boolean;
}

// _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;
export const OLD_BLOCKS: TrieForm<OldBlock, KeyMaxLt> = {
  keyBits: 32,
  store: (builder, block) => builder.bit(block.isKey).with(storeExtBlkRef, block),
  extra: keyMaxLtExtra(({ isKey, endLt }) => ({ key: isKey, maxEndLt: endLt })),
};

// validator_info$_ validator_list_hash_short:uint32 catchain_seqno:uint32 nx_cc_updated:Bool = ValidatorInfo;
/** The group of validators of the next masterchain block, as a masterchain state names it. */
export interface ValidatorInfo {
  /** Hash of the group's list, computed with catchain seqno 0. */
  readonly listHash: number;
  readonly catchainSeqno: number;
  readonly nxCcUpdated: boolean;
}

/** Parts that only the masterchain's state has. */
export interface MasterchainExtra {
  readonly tops: readonly TopBlock[];
  readonly config: ChainConfig;
  /** All blocks before the one that ended with this state. */
  readonly oldBlocks: Trie<OldBlock, KeyMaxLt>;
  readonly afterKeyBlock: boolean;
  /** The last key block before that block; null where only the zerostate counts as one. */
  readonly lastKeyBlock: ExtBlkRef | null;
  readonly globalBalance: Money;
  readonly validatorInfo: ValidatorInfo;
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
//   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//      last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
//   global_balance:CurrencyCollection = McStateExtra;
//
// Localnet does not count blocks by creator: it has one validator.
export function masterchainExtraCell(extra: MasterchainExtra): Cell {
  const { tops, config, oldBlocks, afterKeyBlock, lastKeyBlock, globalBalance, validatorInfo } = extra;
  const { listHash, catchainSeqno, nxCcUpdated } = validatorInfo;
  const rest = new CellBuilder().uint(0, 16).uint(listHash, 32).uint(catchainSeqno, 32).bit(nxCcUpdated);
  oldBlocks.store(rest);
  rest.bit(afterKeyBlock).bit(lastKeyBlock !== null);
  if (lastKeyBlock) rest.with(storeExtBlkRef, lastKeyBlock);
  const builder = new CellBuilder().uint(0xcc26, 16).maybeRef(shardHashes(tops));
  builder.bytes(config.configAddress).ref(config.dict.root()!).ref(rest.cell());
  return builder.with(storeCurrencies, globalBalance).cell();
}
