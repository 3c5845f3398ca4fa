import type { BaseColumns } from '../columns/base-columns.ts';
import type { ValueFlow } from '../tlb/block/value-flow.ts';
import type { ExtBlkRef } from '../tlb/ext-blk-ref.ts';
import type { MerkleUpdate } from '../tlb/merkle-update.ts';
import type { BlockMeta } from './block-meta.ts';
import type { BlockRows } from './block-rows.ts';
import type { OpenBlock } from './open-block.ts';

/** Counts that the walk over a block gives. */
export interface BlockTotals {
  readonly inMsgs: number;
  readonly outMsgs: number;
  readonly accountBlocks: number;
  readonly transactions: number;
}

const NO_HASH = new Uint8Array(32);
const NO_REF: ExtBlkRef = { endLt: 0n, seqno: 0, rootHash: NO_HASH, fileHash: NO_HASH };

type Columns = BaseColumns['tables']['blocks']['col'];

/** Writes the row of `blocks`. */
export function writeBlockRow(
  { columns, meta, open }: BlockRows,
  update: MerkleUpdate,
  flow: ValueFlow,
  totals: BlockTotals,
): void {
  const { col } = columns.tables.blocks;
  writeIds(col, meta);
  writeInfo(col, open);
  writeRefs(col, open);
  col.state_hash_before.push(update.oldHash);
  col.state_hash_after.push(update.newHash);
  writeValueFlow(col, flow);
  col.rand_seed.push(open.extra.randSeed);
  col.created_by.push(open.extra.createdBy);
  col.in_msg_descr_count.push(totals.inMsgs);
  col.out_msg_descr_count.push(totals.outMsgs);
  col.account_blocks.push(totals.accountBlocks);
  col.tx_count.push(totals.transactions);
  col.boc_bytes.push(open.boc.bytes.length);
  columns.tables.blocks.endRow();
}

function writeIds(col: Columns, meta: BlockMeta): void {
  col.mc_seqno.push(meta.mcSeqno);
  col.workchain.push(meta.workchain);
  col.shard.push(meta.shard);
  col.seqno.push(meta.seqno);
  col.root_hash.push(meta.rootHash);
  col.file_hash.push(meta.fileHash);
}

function writeInfo(col: Columns, { block, info }: OpenBlock): void {
  col.global_id.push(block.globalId);
  col.version.push(info.version);
  col.flags.push(info.flags);
  col.after_merge.push(info.afterMerge);
  col.before_split.push(info.beforeSplit);
  col.after_split.push(info.afterSplit);
  col.want_merge.push(info.wantMerge);
  col.want_split.push(info.wantSplit);
  col.key_block.push(info.keyBlock);
  col.vert_seqno_incr.push(info.vertSeqnoIncr);
  col.vert_seqno.push(info.vertSeqno);
  col.gen_utime.push(info.genUtime);
  col.start_lt.push(info.startLt);
  col.end_lt.push(info.endLt);
  col.validator_list_hash_short.push(info.genValidatorListHashShort);
  col.gen_catchain_seqno.push(info.genCatchainSeqno);
  col.min_ref_mc_seqno.push(info.minRefMcSeqno);
  col.prev_key_block_seqno.push(info.prevKeyBlockSeqno);
  col.gen_software_version.push(info.genSoftware?.version ?? 0);
  col.gen_software_capabilities.push(info.genSoftware?.capabilities ?? 0n);
}

function writeRefs(col: Columns, { info }: OpenBlock): void {
  const master = info.masterRef ?? NO_REF;
  col.master_ref_seqno.push(master.seqno);
  col.master_ref_end_lt.push(master.endLt);
  col.master_ref_root_hash.push(master.rootHash);
  col.master_ref_file_hash.push(master.fileHash);
  const prev = info.prevRefs[0] ?? NO_REF;
  col.prev_seqno.push(prev.seqno);
  col.prev_end_lt.push(prev.endLt);
  col.prev_root_hash.push(prev.rootHash);
  col.prev_file_hash.push(prev.fileHash);
  const prev2 = info.prevRefs[1] ?? NO_REF;
  col.prev2_seqno.push(prev2.seqno);
  col.prev2_end_lt.push(prev2.endLt);
  col.prev2_root_hash.push(prev2.rootHash);
  col.prev2_file_hash.push(prev2.fileHash);
}

function writeValueFlow(col: Columns, flow: ValueFlow): void {
  col.value_flow_tag.push(flow.tag);
  col.from_prev_blk.push(flow.fromPrevBlk.grams);
  col.to_next_blk.push(flow.toNextBlk.grams);
  col.imported.push(flow.imported.grams);
  col.exported.push(flow.exported.grams);
  col.fees_collected.push(flow.feesCollected.grams);
  col.burned.push(flow.burned.grams);
  col.fees_imported.push(flow.feesImported.grams);
  col.recovered.push(flow.recovered.grams);
  col.created.push(flow.created.grams);
  col.minted.push(flow.minted.grams);
}
