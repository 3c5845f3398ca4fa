/**
 * Every message of a block, read once even if several transactions have it. Rows of `messages` and packs of
 * transactions are copies of a record. Offsets into a record:
 */
import { Area } from '../area';
import { cellCount } from '../bags/bag';
import { clearBytes } from '../move-bytes';

export const M_HASH: usize = 0;
export const M_HASH_NORM: usize = 32;
export const M_BODY_HASH: usize = 64;
export const M_INIT_HASH: usize = 96;
/** Amounts, 16 bytes each. */
export const M_VALUE: usize = 128;
export const M_FWD_FEE: usize = 144;
export const M_IHR_FEE: usize = 160;
export const M_IMPORT_FEE: usize = 176;
export const M_EXTRA_FLAGS: usize = 192;
export const M_CREATED_LT: usize = 208;
export const M_CREATED_AT: usize = 216;
export const M_OPCODE: usize = 220;
/** Extra currencies: offset in ENTRIES, and how many. */
export const M_ENTRIES: usize = 224;
export const M_ENTRY_COUNT: usize = 228;
/** Bags of body and init: offset in BAGS, and size. */
export const M_BODY: usize = 232;
export const M_BODY_SIZE: usize = 236;
export const M_INIT: usize = 240;
export const M_INIT_SIZE: usize = 244;
/** Bytes of the message in a pack. */
export const M_PACKED_SIZE: usize = 248;
export const M_KIND: usize = 252;
export const M_IHR_DISABLED: usize = 253;
export const M_BOUNCE: usize = 254;
export const M_BOUNCED: usize = 255;
export const M_HAS_OPCODE: usize = 256;
export const M_HAS_EXTRA_FLAGS: usize = 257;
export const M_HAS_INIT: usize = 258;
/** Start of the destination of an external-in message, in bits; and its length. */
export const M_DEST_BIT: usize = 260;
export const M_DEST_BITS: usize = 264;
export const M_CELL: usize = 268;
/** The body: its cell, or -1 with the bit and reference where it starts in the message's cell. */
export const M_BODY_CELL: usize = 272;
export const M_BODY_BIT: usize = 276;
export const M_BODY_REF: usize = 280;
/** The init: its cell, or -1 with its start and end. */
export const M_INIT_CELL: usize = 284;
export const M_INIT_BIT: usize = 288;
export const M_INIT_BIT_END: usize = 292;
export const M_INIT_REF: usize = 296;
export const M_INIT_REF_END: usize = 300;
export const M_SOURCE: usize = 304;
export const M_DESTINATION: usize = 416;
export const MESSAGE_BYTES: usize = 528;

export const MESSAGES = new Area();
/** The bags of all bodies and inits. */
export const BAGS = new Area();
/** By cell: number of its record + 1, or 0. */
const RECORD_OF = new Area();
export let messageCount: i32 = 0;

/** Begins a block. */
export function beginMessages(): void {
  messageCount = 0;
  MESSAGES.length = 0;
  BAGS.length = 0;
  const size = (<usize>cellCount) << 2;
  memory.fill(RECORD_OF.reserve(size), 0, size);
}

/** The number of a cell's record, or -1. */
export function recordOf(cell: i32): i32 {
  return load<i32>(RECORD_OF.start + ((<usize>cell) << 2)) - 1;
}

/** A record of zeros for a cell; gives its number. */
export function addRecord(cell: i32): i32 {
  const at = MESSAGES.take(MESSAGE_BYTES);
  clearBytes(MESSAGES.start + at, MESSAGE_BYTES);
  store<i32>(RECORD_OF.start + ((<usize>cell) << 2), ++messageCount);
  return messageCount - 1;
}

/** Address of a record; valid until the next is added. */
@inline
export function record(index: i32): usize {
  return MESSAGES.start + <usize>index * MESSAGE_BYTES;
}
