import type { Boc } from '../boc/boc.ts';
import type { CellHashes } from '../boc/cell-hashes.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { type HashAndDepth, hashSlice, hashVirtualCell } from '../boc/virtual-cell.ts';
import { type BitString, loadBitString, putBits } from '../tlb/bit-string.ts';
import { loadMsgAddressExt, loadMsgAddressInt } from '../tlb/msg-address.ts';
import type { Part } from '../tlb/part.ts';

/** ext_in_msg_info$10 with src addr_none$00. */
const HEAD: BitString = { bytes: Uint8Array.of(0b1000_0000), bitLength: 4 };
/** import_fee 0 (four bits), no init (one bit), body by reference (one bit). */
const TAIL: BitString = { bytes: Uint8Array.of(0b0000_0100), bitLength: 6 };

/**
 * The hash of an external-in message rebuilt with source addr_none, import fee 0, no state init and the body by
 * reference (TEP-467): the same for every relay of one message.
 */
export function normalisedHash(boc: Boc, hashes: CellHashes, cell: number, body: Part): Uint8Array {
  const destination = destinationBits(boc, cell);
  const bitLength = HEAD.bitLength + destination.bitLength + TAIL.bitLength;
  const bits = new Uint8Array((bitLength + 7) >> 3);
  putBits(bits, 0, HEAD);
  putBits(bits, HEAD.bitLength, destination);
  putBits(bits, bitLength - TAIL.bitLength, TAIL);
  return hashVirtualCell(bits, bitLength, [hashOfPart(hashes, body)]).hash;
}

/** The destination bits of the message. */
function destinationBits(boc: Boc, cell: number): BitString {
  const slice = new CellSlice(boc, cell);
  slice.skipBits(2);
  loadMsgAddressExt(slice);
  const end = slice.clone();
  loadMsgAddressInt(end);
  return loadBitString(slice, end.bitPosition - slice.bitPosition);
}

function hashOfPart(hashes: CellHashes, part: Part): HashAndDepth {
  if ('cell' in part) return { hash: hashes.hash(part.cell), depth: hashes.depth(part.cell) };
  const refs = part.slice.clone();
  let depth = 0;
  while (refs.refsLeft > 0) depth = Math.max(depth, hashes.depth(refs.ref()) + 1);
  return { hash: hashSlice(part.slice, hashes), depth };
}
