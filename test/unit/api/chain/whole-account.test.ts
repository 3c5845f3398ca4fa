import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { wholeAccount } from '../../../../src/api/chain/whole-account.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';

const leaf = (value: number) => beginCell().storeUint(value, 32).endCell();
const code = beginCell().storeUint(1, 8).storeRef(leaf(10)).storeRef(leaf(11)).endCell();
const data = beginCell().storeUint(2, 8).storeRef(leaf(20)).storeRef(leaf(21)).endCell();
const account = (codeCell: Cell, dataCell: Cell) =>
  beginCell().storeUint(3, 8).storeRef(codeCell).storeRef(dataCell).endCell();
const bytes = (cell: Cell) => new Uint8Array(cell.toBoc({ idx: false }));

/** What stands for a cell in a state update. */
function pruned(cell: Cell): Cell {
  const bits = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16);
  return new Cell({ exotic: true, bits: bits.endCell().bits, refs: [] });
}

const whole = account(code, data);

describe('an account whose block left out a part', () => {
  it('is itself where nothing is left out', () => {
    expect(writeBag(wholeAccount([bytes(whole)])!, { index: false })).toEqual(bytes(whole));
  });

  it('is filled from other states, each of which has a part', () => {
    const partialData = beginCell()
      .storeUint(2, 8)
      .storeRef(pruned(leaf(20)))
      .storeRef(leaf(21))
      .endCell();
    const own = account(pruned(code), partialData);
    expect(wholeAccount([bytes(own)])).toBe(null);
    const first = account(code, beginCell().storeRef(leaf(20)).endCell());
    expect(writeBag(wholeAccount([bytes(own), bytes(first)])!, { index: false })).toEqual(bytes(whole));
  });

  it('is filled from a cell that is itself filled', () => {
    const inner = beginCell()
      .storeUint(2, 8)
      .storeRef(pruned(leaf(20)))
      .storeRef(leaf(21))
      .endCell();
    const own = account(code, pruned(data));
    const others = [account(leaf(1), inner), account(leaf(2), leaf(20))];
    expect(writeBag(wholeAccount([own, ...others].map(bytes))!, { index: false })).toEqual(bytes(whole));
  });

  it('is none where a part is nowhere', () => {
    const own = account(pruned(code), pruned(data));
    expect(wholeAccount([bytes(own), bytes(account(code, leaf(5)))])).toBe(null);
    expect(wholeAccount([])).toBe(null);
  });
});
