/** Hashes and bags of bodies and inits, and normalised hashes: what a record lacks after reading. */
import { KIND_EXT_IN } from '../../build/columns';
import { bitLength, data, levelMask, refCount, refsAt } from '../bags/bag';
import { copyBits } from '../copy-bits';
import { depthOf, hashOf } from '../bags/hash-cells';
import {
  BAGS, M_BODY, M_BODY_BIT, M_BODY_CELL, M_BODY_HASH, M_BODY_REF, M_BODY_SIZE, M_CELL, M_DEST_BIT, M_DEST_BITS,
  M_HAS_INIT, M_HASH, M_HASH_NORM, M_INIT, M_INIT_BIT, M_INIT_BIT_END, M_INIT_CELL, M_INIT_HASH, M_INIT_REF,
  M_INIT_REF_END, M_INIT_SIZE, M_KIND, messageCount, record,
} from './message-record';
import { copyHash } from '../refuse';
import { flushVirtual, hashFlat, hashOver, hashRest } from '../bags/virtual-hash';
import { writeBag, writeCell } from '../bags/write-bag';

/** addr_std with the longest anycast has 302 bits, addr_var 583. */
const NORMALISED: usize = memory.data(160, 16);

/** Completes all records of the block. */
export function completeMessages(): void {
  for (let i = 0; i < messageCount; i++) {
    const to = record(i);
    completeBody(to);
    if (load<u8>(to, M_HAS_INIT) != 0) completeInit(to);
  }
  flushVirtual();
  for (let i = 0; i < messageCount; i++) {
    const to = record(i);
    if (load<u8>(to, M_KIND) == KIND_EXT_IN) normalise(to);
    else copyHash(to + M_HASH, to + M_HASH_NORM);
  }
  flushVirtual();
}

function completeBody(to: usize): void {
  const body = load<i32>(to, M_BODY_CELL);
  store<u32>(to, <u32>BAGS.length, M_BODY);
  if (body >= 0) {
    copyHash(hashOf(body), to + M_BODY_HASH);
    store<u32>(to, <u32>writeCell(BAGS, body), M_BODY_SIZE);
    return;
  }
  const cell = load<i32>(to, M_CELL);
  const bit = load<i32>(to, M_BODY_BIT);
  const ref = load<i32>(to, M_BODY_REF);
  const bits = bitLength(cell) - bit;
  const refs = refsAt(cell) + ((<usize>ref) << 2);
  const count = refCount(cell) - ref;
  hashRest(data(cell), bit, bits, refs, count, to + M_BODY_HASH);
  store<u32>(to, <u32>writePiece(cell, bit, bits, refs, count), M_BODY_SIZE);
}

function completeInit(to: usize): void {
  const init = load<i32>(to, M_INIT_CELL);
  store<u32>(to, <u32>BAGS.length, M_INIT);
  if (init >= 0) {
    copyHash(hashOf(init), to + M_INIT_HASH);
    store<u32>(to, <u32>writeCell(BAGS, init), M_INIT_SIZE);
    return;
  }
  const cell = load<i32>(to, M_CELL);
  const bit = load<i32>(to, M_INIT_BIT);
  const ref = load<i32>(to, M_INIT_REF);
  const bits = load<i32>(to, M_INIT_BIT_END) - bit;
  const refs = refsAt(cell) + ((<usize>ref) << 2);
  const count = load<i32>(to, M_INIT_REF_END) - ref;
  hashFlat(data(cell), bit, bits, refs, count, to + M_INIT_HASH);
  store<u32>(to, <u32>writePiece(cell, bit, bits, refs, count), M_INIT_SIZE);
}

/** A piece of a cell as an ordinary cell and a bag of its own. */
function writePiece(cell: i32, bit: i32, bits: i32, refs: usize, count: i32): usize {
  let mask: u32 = 0;
  for (let k = 0; k < count; k++) mask |= levelMask(load<i32>(refs + ((<usize>k) << 2)));
  return writeBag(BAGS, <u32>count | (mask << 5), data(cell), bit, bits, refs, count);
}

/**
 * The message rebuilt with source addr_none, import fee 0, no state init and the body by reference (TEP-467):
 * ext_in_msg_info$10, addr_none$00, the destination as written, then 0000 0 1.
 */
function normalise(to: usize): void {
  const cell = load<i32>(to, M_CELL);
  const bits = load<i32>(to, M_DEST_BITS);
  // The four bits before the destination are made by beginning there and writing over them.
  const from = load<i32>(to, M_DEST_BIT) - 4;
  copyBits(data(cell), from, bits + 4, NORMALISED);
  store<u8>(NORMALISED, <u8>((load<u8>(NORMALISED) & 0x0f) | 0x80));
  const end = bits + 4;
  const at = NORMALISED + <usize>(end >> 3);
  // Six bits 000001 after the destination, which ends inside a byte whose low bits are zero.
  const tail = <u32>(<u32>1 << 10) >>> (end & 7);
  const kept = (end & 7) == 0 ? 0 : <u32>load<u8>(at);
  store<u8>(at, <u8>(kept | (tail >>> 8)));
  store<u8>(at, <u8>tail, 1);
  hashOver(NORMALISED, end + 6, to + M_BODY_HASH, bodyDepth(to), to + M_HASH_NORM);
}

function bodyDepth(to: usize): u32 {
  const body = load<i32>(to, M_BODY_CELL);
  if (body >= 0) return depthOf(body);
  const cell = load<i32>(to, M_CELL);
  let depth: u32 = 0;
  for (let k = load<i32>(to, M_BODY_REF), count = refCount(cell); k < count; k++) {
    depth = max<u32>(depth, depthOf(load<i32>(refsAt(cell) + ((<usize>k) << 2))) + 1);
  }
  return depth;
}
