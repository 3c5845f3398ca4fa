import { type Builder, beginCell, type Cell } from '@ton/core';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellSlice } from '../../../../src/ton/boc/cell-slice.ts';

/** A slice of our own over a cell that @ton/core built. */
export function sliceOf(cell: Cell): CellSlice {
  const boc = parseBoc(new Uint8Array(cell.toBoc({ idx: false })));
  return new CellSlice(boc, onlyRoot(boc));
}

/** A slice over what `write` builds. */
export function made(write: (builder: Builder) => unknown): CellSlice {
  const builder = beginCell();
  write(builder);
  return sliceOf(builder.endCell());
}

/** Bits as text, for example `10 0 11111111`. */
export function bits(text: string): CellSlice {
  return made((builder) => {
    for (const bit of text.replaceAll(' ', '')) builder.storeBit(bit === '1');
  });
}

/** `count` times one byte, as hex. */
export const hexBytes = (byte: number, count = 32) => byte.toString(16).padStart(2, '0').repeat(count);
