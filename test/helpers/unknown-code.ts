import { beginCell, type Cell } from '@ton/core';

/** The same code with an instruction that nothing reaches behind it: a code that nobody knows. */
export function unknownCode(code: Cell): Cell {
  return code.refs
    .reduce((cell, ref) => cell.storeRef(ref), beginCell().storeBits(code.bits))
    .storeUint(0, 8)
    .endCell();
}
