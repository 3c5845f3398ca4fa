import { bit, maybeRef, skipBits } from '../bags/cursor';

/** Cells of the last state init that was read, -1 for none. */
export let codeCell: i32 = -1;
export let dataCell: i32 = -1;

/**
 *     _ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 *       library:(HashmapE 256 SimpleLib) = StateInit;
 */
export function stateInit(): void {
  if (bit()) skipBits(5);
  if (bit()) skipBits(2);
  codeCell = maybeRef();
  dataCell = maybeRef();
  maybeRef();
}
