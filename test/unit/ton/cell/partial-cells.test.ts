import { beginCell, Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { PartialCells } from '../../../../src/ton/cell/partial-cells.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';

const leaf = (value: number) => beginCell().storeUint(value, 32).endCell();
const code = beginCell().storeUint(1, 8).storeRef(leaf(10)).storeRef(leaf(11)).endCell();
const data = beginCell().storeUint(2, 8).storeRef(leaf(20)).storeRef(leaf(21)).endCell();
const account = (codeCell: Cell, dataCell: Cell) =>
  beginCell().storeUint(3, 8).storeRef(codeCell).storeRef(dataCell).endCell();
const bytes = (cell: Cell) => new Uint8Array(cell.toBoc({ idx: false }));
const key = (cell: Cell) => cell.hash(0).toString('latin1');

/** The pruned branch of a cell in a state update. */
function pruned(cell: Cell): Cell {
  const bits = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBuffer(cell.hash(0))
    .storeUint(cell.depth(0), 16);
  return new Cell({ exotic: true, bits: bits.endCell().bits, refs: [] });
}

const whole = account(code, data);

/** The bag of `resolve` out of others, and the hashes that are in none. */
function found(...bags: readonly Cell[]) {
  const cells = new PartialCells();
  for (const bag of bags) cells.add(readCell(bytes(bag)));
  const cell = cells.resolve(key(whole));
  return { bag: cell && writeBag(cell, { index: false }), missing: [...cells.missing([key(whole)])] };
}

describe('cells with pruned branches', () => {
  it('are themselves where nothing is left out', () => {
    expect(found(whole)).toEqual({ bag: bytes(whole), missing: [] });
  });

  it('are filled from others, each of which has a part', () => {
    const partialData = beginCell()
      .storeUint(2, 8)
      .storeRef(pruned(leaf(20)))
      .storeRef(leaf(21))
      .endCell();
    const own = account(pruned(code), partialData);
    expect(found(own)).toEqual({ bag: null, missing: [key(code), key(leaf(20))] });
    const first = account(code, beginCell().storeRef(leaf(20)).endCell());
    expect(found(own, first)).toEqual({ bag: bytes(whole), missing: [] });
  });

  it('are filled from a cell that is itself filled, whichever came first', () => {
    const inner = beginCell()
      .storeUint(2, 8)
      .storeRef(pruned(leaf(20)))
      .storeRef(leaf(21))
      .endCell();
    const own = account(code, pruned(data));
    const others = [account(leaf(1), inner), account(leaf(2), leaf(20))];
    for (const bags of [[own, ...others], [...others, own].reverse(), [...others, own]])
      expect(found(...bags)).toEqual({ bag: bytes(whole), missing: [] });
    // The whole cell is worth more than the one that lacks a part, though it came later.
    expect(found(own, others[0]!, account(leaf(3), data))).toEqual({ bag: bytes(whole), missing: [] });
  });

  it('are none where a part is nowhere, which is named', () => {
    const own = account(pruned(code), pruned(data));
    expect(found(own, account(code, leaf(5)))).toEqual({ bag: null, missing: [key(data)] });
    expect(found()).toEqual({ bag: null, missing: [key(whole)] });
  });

  it('are whole with a Merkle proof in them, whose pruned branches are its own', () => {
    const proven = beginCell()
      .storeUint(7, 8)
      .storeRef(pruned(leaf(40)))
      .storeRef(leaf(41))
      .endCell();
    const bits = beginCell().storeUint(3, 8).storeBuffer(proven.hash(0)).storeUint(proven.depth(0), 16);
    const proof = new Cell({ exotic: true, bits: bits.endCell().bits, refs: [proven] });
    const holder = account(code, beginCell().storeRef(proof).endCell());
    const cells = new PartialCells();
    cells.add(readCell(bytes(holder)));
    expect(writeBag(cells.resolve(key(holder))!, { index: false })).toEqual(bytes(holder));
  });
});
