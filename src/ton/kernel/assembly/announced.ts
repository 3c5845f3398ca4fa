/** Announced id of the block, and options of the kernel; set by the host before each block. */
export let workchain: i32 = 0;
/** Unsigned 64 bits. */
export let shard: u64 = 0;
export let seqno: u32 = 0;
export let mcSeqno: u32 = 0;
/** Start of the index: messages created below this lt were sent by no transaction of the index. */
export let indexedFromLt: u64 = 0;
/** Root hash and file hash, 32 bytes each. */
export const ANNOUNCED_HASHES: usize = memory.data(64, 16);
/** 0 none, 1 file (the host's), 2 tx, 3 root. */
export let verifyLevel: i32 = 0;
/** Old states whose last_trans_lt lies below get a row, or all of them. */
export let oldStatesBelowLt: u64 = 0;
export let allOldStates: bool = false;

export function announce(ofWorkchain: i32, ofShard: u64, ofSeqno: u32, ofMcSeqno: u32): void {
  workchain = ofWorkchain;
  shard = ofShard;
  seqno = ofSeqno;
  mcSeqno = ofMcSeqno;
}

export function ask(level: i32, belowLt: u64, all: bool, fromLt: u64): void {
  verifyLevel = level;
  oldStatesBelowLt = belowLt;
  allOldStates = all;
  indexedFromLt = fromLt;
}
