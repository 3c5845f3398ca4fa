import type { Cell } from '../cell/cell.ts';
import { CellBuilder } from '../cell/cell-builder.ts';

// _ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(HashmapE 256 SimpleLib) = StateInit;
export function stateInitCell(code: Cell | null, data: Cell | null): Cell {
  return new CellBuilder().bit(false).bit(false).maybeRef(code).maybeRef(data).bit(false).cell();
}

/** The address of a contract is the hash of its StateInit. */
export function stateInitHash(code: Cell, data: Cell): Uint8Array {
  return stateInitCell(code, data).hash().slice();
}
