import { formatRaw } from '../../ton/address/address.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import { loadMsgAddress } from '../../ton/tlb/msg-address.ts';
import type { MessageFact } from './action-fact.ts';

/* How bodies of messages are read. All functions throw CellError or BocError for another layout. */

/** The body after its opcode. */
export function openBody({ body }: MessageFact): CellSlice {
  const slice = openBag(body);
  slice.skipBits(32);
  return slice;
}

/** An address as raw text; empty for none and other forms. */
export function readAddress(slice: CellSlice): string {
  const address = loadMsgAddress(slice);
  return address.kind === 'std' ? formatRaw(address.workchain, address.address) : '';
}

/** The next referenced cell. */
export const nextCell = (slice: CellSlice): CellSlice => new CellSlice(slice.boc, slice.ref());

/** The cell of a `Maybe ^Cell`; null for none. */
export function maybeCell(slice: CellSlice): CellSlice | null {
  const cell = slice.maybeRef();
  return cell < 0 ? null : new CellSlice(slice.boc, cell);
}

/** What `read` returns; null if the message has another layout, since any contract can send any body. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}
