import { beginCell, type Cell } from '@ton/core';

/** The same code with an unreachable instruction: an unknown code. */
export function unknownCode(code: Cell): Cell {
  return code.refs
    .reduce((cell, ref) => cell.storeRef(ref), beginCell().storeBits(code.bits))
    .storeUint(0, 8)
    .endCell();
}
