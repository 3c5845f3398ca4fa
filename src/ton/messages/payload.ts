import type { Boc } from '../boc/boc.ts';
import { CellSlice } from '../boc/cell-slice.ts';
import { serializeCell, serializeSlice } from '../boc/serialize.ts';
import type { Cell } from '../cell/cell.ts';
import type { CellBuilder } from '../cell/cell-builder.ts';
import type { Part } from '../tlb/part.ts';

/** Payload to store: a cell in a reference, the contents of a cell, or nothing (an empty inline payload). */
export type StoredPayload = { readonly ref: Cell } | { readonly inline: Cell } | null;

/**
 * Loads a payload at the end of a body: `forward_payload:(Either Cell ^Cell)`. Null if no bits are left, because wallets
 * and items accept such bodies.
 * @throws CellError
 */
export function loadPayload(slice: CellSlice): Part | null {
  if (slice.bitsLeft === 0) return null;
  return slice.bit() ? { cell: slice.ref() } : { slice: slice.clone() };
}

export function storePayload(builder: CellBuilder, payload: StoredPayload): void {
  if (payload === null) builder.bit(false);
  else if ('ref' in payload) builder.bit(true).ref(payload.ref);
  else builder.bit(false).append(payload.inline);
}

/** Opens a payload at its start. @throws CellError exotic cell */
export function openPayload(boc: Boc, payload: Part): CellSlice {
  return 'slice' in payload ? payload.slice.clone() : new CellSlice(boc, payload.cell);
}

/** Serialises a payload, whatever its cell, as a bag of cells. */
export function payloadBag(boc: Boc, payload: Part): Uint8Array {
  return 'slice' in payload ? serializeSlice(payload.slice) : serializeCell(boc, payload.cell);
}
