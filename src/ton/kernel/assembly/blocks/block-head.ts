/** Block, BlockInfo, BlockExtra into the row of `blocks`; mirrors decode/open-block.ts, tlb/block/block-info.ts. */
import {
  blocks_after_merge, blocks_after_split, blocks_before_split, blocks_created_by, blocks_end_lt, blocks_flags,
  blocks_gen_catchain_seqno, blocks_gen_software_capabilities, blocks_gen_software_version, blocks_gen_utime,
  blocks_global_id, blocks_key_block, blocks_master_ref_end_lt, blocks_master_ref_file_hash,
  blocks_master_ref_root_hash, blocks_master_ref_seqno, blocks_min_ref_mc_seqno, blocks_prev2_end_lt,
  blocks_prev2_file_hash, blocks_prev2_root_hash, blocks_prev2_seqno, blocks_prev_end_lt, blocks_prev_file_hash,
  blocks_prev_key_block_seqno, blocks_prev_root_hash, blocks_prev_seqno, blocks_rand_seed, blocks_start_lt,
  blocks_validator_list_hash_short, blocks_version, blocks_vert_seqno, blocks_vert_seqno_incr, blocks_want_merge,
  blocks_want_split,
} from '../../build/columns';
import { seqno, shard, workchain } from '../announced';
import { bitLength, cellType, ORDINARY } from '../bags/bag';
import {
  bad, bit, bytes32, enter, expectTag, leave, maybeRef, open, peek, ref, skipBits, uint, uint64,
} from '../bags/cursor';
import { contradiction, FOREIGN_CHAIN, HEADER, KIND } from '../refuse';
import { identShard, identWorkchain, shardIdent } from './shard-ident';
import { place, put32, put64, put8 } from '../streams';

const BLOCK: u32 = 0x11ef55aa;
/** Root tag of a block of another chain of the family (Tycho), which differs inside. */
const FOREIGN_BLOCK: u32 = 0x11ef55bb;

export let valueFlowCell: i32 = 0;
export let stateUpdateCell: i32 = 0;
export let inMsgDescrCell: i32 = 0;
export let outMsgDescrCell: i32 = 0;
export let accountBlocksCell: i32 = 0;
/** McBlockExtra; -1 outside the masterchain. */
export let customCell: i32 = -1;
export let isKeyBlock: bool = false;
export let softwareVersion: u32 = 0;

/**
 *     block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
 *       state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
 */
export function readHead(root: i32, row: i32): void {
  if (cellType(root) != ORDINARY) contradiction(KIND, 'the root is an exotic cell', root, ORDINARY, cellType(root));
  open(root);
  if (bitLength(root) >= 32 && peek(32) == FOREIGN_BLOCK) {
    contradiction(FOREIGN_CHAIN, 'root tag of another chain', root, BLOCK, FOREIGN_BLOCK);
  }
  enter(root);
  expectTag(32, BLOCK, 'Block');
  put32(blocks_global_id, row, uint(32));
  const info = ref();
  valueFlowCell = ref();
  stateUpdateCell = ref();
  const extra = ref();
  leave('Block');
  readInfo(info, row);
  readExtra(extra, row);
  checkCustom();
}

let notMaster: bool = false;
let afterMerge: bool = false;
let vertSeqnoIncr: bool = false;

@inline
function flag(stream: i32, row: i32): bool {
  const value = bit();
  put8(stream, row, value ? 1 : 0);
  return value;
}

/**
 *     block_info#9bc7a987 version:uint32 not_master:(## 1) after_merge:(## 1) before_split:(## 1) after_split:(## 1)
 *       want_split:Bool want_merge:Bool key_block:Bool vert_seqno_incr:(## 1) flags:(## 8) { flags <= 1 }
 *       seq_no:# vert_seq_no:# shard:ShardIdent gen_utime:uint32 start_lt:uint64 end_lt:uint64
 *       gen_validator_list_hash_short:uint32 gen_catchain_seqno:uint32 min_ref_mc_seqno:uint32
 *       prev_key_block_seqno:uint32 gen_software:flags . 0?GlobalVersion master_ref:not_master?^BlkMasterInfo
 *       prev_ref:^(BlkPrevInfo after_merge) prev_vert_ref:vert_seqno_incr?^(BlkPrevInfo 0) = BlockInfo;
 */
function readInfo(cell: i32, row: i32): void {
  enter(cell);
  expectTag(32, 0x9bc7a987, 'BlockInfo');
  put32(blocks_version, row, uint(32));
  notMaster = bit();
  afterMerge = flag(blocks_after_merge, row);
  flag(blocks_before_split, row);
  flag(blocks_after_split, row);
  flag(blocks_want_split, row);
  flag(blocks_want_merge, row);
  isKeyBlock = flag(blocks_key_block, row);
  vertSeqnoIncr = flag(blocks_vert_seqno_incr, row);
  const flags = uint(8);
  if (flags > 1) bad('BlockInfo.flags', 1, flags);
  put8(blocks_flags, row, flags);
  const found = uint(32);
  readNumbers(row);
  if (flags & 1) readSoftware(row);
  else softwareVersion = 0;
  const before = readRefs(row);
  leave('BlockInfo');
  checkInfo(found, before);
}

function readNumbers(row: i32): void {
  put32(blocks_vert_seqno, row, uint(32));
  shardIdent();
  put32(blocks_gen_utime, row, uint(32));
  put64(blocks_start_lt, row, uint64(64));
  put64(blocks_end_lt, row, uint64(64));
  put32(blocks_validator_list_hash_short, row, uint(32));
  put32(blocks_gen_catchain_seqno, row, uint(32));
  put32(blocks_min_ref_mc_seqno, row, uint(32));
  put32(blocks_prev_key_block_seqno, row, uint(32));
}

/** capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion; */
function readSoftware(row: i32): void {
  expectTag(8, 0xc4, 'GlobalVersion');
  softwareVersion = uint(32);
  put32(blocks_gen_software_version, row, softwareVersion);
  put64(blocks_gen_software_capabilities, row, uint64(64));
}

/** Gives the higher seqno of the blocks before. */
function readRefs(row: i32): u32 {
  if (notMaster) {
    readBlockRef(
      ref(), row, blocks_master_ref_end_lt, blocks_master_ref_seqno, blocks_master_ref_root_hash,
      blocks_master_ref_file_hash,
    );
  }
  let first = ref();
  let second = -1;
  if (afterMerge) {
    enter(first);
    first = ref();
    second = ref();
    leave('BlkPrevInfo');
  }
  let before = readBlockRef(
    first, row, blocks_prev_end_lt, blocks_prev_seqno, blocks_prev_root_hash, blocks_prev_file_hash,
  );
  if (second >= 0) {
    const other = readBlockRef(
      second, row, blocks_prev2_end_lt, blocks_prev2_seqno, blocks_prev2_root_hash, blocks_prev2_file_hash,
    );
    before = max<u32>(before, other);
  }
  if (vertSeqnoIncr) {
    enter(ref());
    skipBits(64 + 32 + 256 + 256);
    leave('BlkPrevInfo');
  }
  return before;
}

/** ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef; gives the seqno. */
function readBlockRef(cell: i32, row: i32, endLt: i32, ofSeqno: i32, rootHash: i32, fileHash: i32): u32 {
  enter(cell);
  put64(endLt, row, uint64(64));
  const value = uint(32);
  put32(ofSeqno, row, value);
  bytes32(place(rootHash, row, 32));
  bytes32(place(fileHash, row, 32));
  leave('ExtBlkRef');
  return value;
}

/**
 *     block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
 *       rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
 */
function readExtra(cell: i32, row: i32): void {
  enter(cell);
  expectTag(32, 0x4a33f6fd, 'BlockExtra');
  inMsgDescrCell = ref();
  outMsgDescrCell = ref();
  accountBlocksCell = ref();
  bytes32(place(blocks_rand_seed, row, 32));
  bytes32(place(blocks_created_by, row, 32));
  customCell = maybeRef();
  leave('BlockExtra');
}

/** Checks the facts that BlockInfo states twice, and the announced id. */
function checkInfo(found: u32, before: u32): void {
  const masterchain = identWorkchain == -1;
  if (notMaster == masterchain) contradiction(HEADER, 'not_master', -1, masterchain ? 0 : 1, notMaster ? 1 : 0);
  // Not in 32 bits: nothing comes after the last number.
  if (<u64>found != <u64>before + 1) contradiction(HEADER, 'seqno after the blocks before', -1, <u64>before + 1, found);
  if (identWorkchain != workchain) contradiction(HEADER, 'workchain of the block inside', -1, workchain, identWorkchain);
  if (identShard != shard) contradiction(HEADER, 'shard of the block inside', -1, shard, identShard);
  if (found != seqno) contradiction(HEADER, 'seqno of the block inside', -1, seqno, found);
}

function checkCustom(): void {
  const masterchain = identWorkchain == -1;
  if ((customCell >= 0) != masterchain) {
    contradiction(HEADER, 'McBlockExtra is of the masterchain', -1, masterchain ? 1 : 0, customCell >= 0 ? 1 : 0);
  }
}
