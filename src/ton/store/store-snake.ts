import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';

const MAX_BITS = 1023;

/** Bytes after what a builder holds, continued in references: each cell takes as many bytes as fit. */
export function snakeCell(bytes: Uint8Array, builder: CellBuilder = new CellBuilder()): Cell {
  const room = (MAX_BITS - builder.bitLength) >> 3;
  builder.bytes(bytes.subarray(0, room));
  if (bytes.length > room) builder.ref(snakeCell(bytes.subarray(room)));
  return builder.cell();
}
