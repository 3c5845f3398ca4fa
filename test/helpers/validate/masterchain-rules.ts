import { CellSlice } from '../../../src/ton/boc/cell-slice.ts';
import { PRUNED } from '../../../src/ton/boc/cell-type.ts';
import { addMoney, moneyText, NO_MONEY } from '../../../src/ton/currencies/money.ts';
import { loadMcBlockExtra } from '../../../src/ton/tlb/block/mc-block-extra.ts';
import { loadShardState } from '../../../src/ton/tlb/block/shard-state.ts';
import { loadExtBlkRef } from '../../../src/ton/tlb/ext-blk-ref.ts';
import { loadStateCurrencies } from '../../../src/ton/tlb/state-currencies.ts';
import { expectTag } from '../../../src/ton/tlb/tag.ts';
import { loadWholeCell } from '../../../src/ton/tlb/whole-cell.ts';
import { FEES_CREATED, KEY_MAX_LT } from './extra-rules.ts';
import type { ValidatedBlock } from './validated-block.ts';
import { walkAugmentedE } from './walk-augmented.ts';

/** Checks what only masterchain blocks have: shards, their fees, the list of earlier blocks, the configuration. */
export function checkMasterchain(block: ValidatedBlock): void {
  const { boc, extra, info, findings } = block;
  if (extra.custom < 0) return;
  const mc = loadWholeCell(boc, extra.custom, 'McBlockExtra', loadMcBlockExtra);
  findings.equal('key_block', 'McBlockExtra', info.keyBlock, mc.keyBlock);
  checkShardFees(block);
  const registered = mc.shards.filter(({ descr }) => descr.regMcSeqno === info.seqno);
  const sum = addMoney(NO_MONEY, ...registered.map(({ descr }) => descr.feesCollected));
  findings.equal(
    'fees of registered shards',
    'ShardHashes',
    moneyText(sum),
    moneyText(block.flow.feesImported),
  );
  for (const { shard, descr } of registered)
    findings.holds('shard end_lt', shard.toString(16), descr.endLt < info.endLt, descr.endLt);
  for (const { custom } of loadShardState(boc, block.update.new)) {
    if (custom >= 0 && boc.type[custom] !== PRUNED) checkStateExtra(block, custom);
  }
}

// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
function checkShardFees({ boc, extra, flow, findings }: ValidatedBlock): void {
  const slice = new CellSlice(boc, extra.custom);
  slice.skipBits(17);
  slice.maybeRef();
  const leaf = (_key: Uint8Array, value: CellSlice) => FEES_CREATED.load(value);
  const total = walkAugmentedE(
    slice,
    { what: 'ShardFees', keyBits: 96, rules: FEES_CREATED, leaf },
    findings,
  );
  findings.equal('fees_imported', 'ShardFees', moneyText(total.fees), moneyText(flow.feesImported));
}

// masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
//   ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
//      last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
//   global_balance:CurrencyCollection = McStateExtra;
function checkStateExtra(block: ValidatedBlock, custom: number): void {
  const { boc, hashes, extra, info, findings } = block;
  const slice = new CellSlice(boc, custom);
  expectTag(slice, 16, 0xcc26, 'McStateExtra');
  const shardHashes = slice.maybeRef();
  slice.skipBits(256);
  const config = slice.ref();
  const rest = slice.ref();
  loadStateCurrencies(slice);
  slice.end('McStateExtra');
  const own = new CellSlice(boc, extra.custom);
  own.skipBits(17);
  const announced = own.maybeRef();
  const hashOf = (cell: number) => (cell < 0 ? 'absent' : hashes.hash(cell, 0).toHex());
  findings.equal('shard_hashes', 'McStateExtra', hashOf(announced), hashOf(shardHashes));
  // ConfigParams ends McBlockExtra: its dictionary is the last reference.
  if (info.keyBlock) {
    own.skipRefs(own.refsLeft - 1);
    findings.equal('config', 'McStateExtra', hashOf(own.ref()), hashOf(config));
  }
  if (boc.type[rest] !== PRUNED) checkOldBlocks(block, rest);
}

// _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;   _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
function checkOldBlocks({ boc, info, findings }: ValidatedBlock, cell: number): void {
  const slice = new CellSlice(boc, cell);
  slice.skipBits(16 + 32 + 32 + 1);
  const leaf = (key: Uint8Array, value: CellSlice) => {
    const isKey = value.bit();
    const { seqno, endLt, rootHash } = loadExtBlkRef(value);
    findings.equal('prev_blocks key', key, seqno, new DataView(key.buffer).getUint32(0));
    const previous = info.prevRefs[0]!;
    if (seqno === previous.seqno)
      findings.equal('prev_blocks of the block before', key, previous.rootHash, rootHash);
    return { key: isKey, maxEndLt: endLt };
  };
  walkAugmentedE(slice, { what: 'OldMcBlocksInfo', keyBits: 32, rules: KEY_MAX_LT, leaf }, findings);
  findings.equal('after_key_block', 'McStateExtra', info.keyBlock, slice.bit());
}
