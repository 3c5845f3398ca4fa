import { beginCell, Cell, type Slice } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../../src/ton/boc/boc.ts';
import { findHiddenMethods } from '../../../../../src/ton/contracts/codes/hidden-methods.ts';
import { methodId } from '../../../../../src/ton/contracts/codes/method-id.ts';
import { readMethodIds } from '../../../../../src/ton/contracts/codes/method-ids.ts';
import { TACT_MASTER } from '../../../../fixtures/tact-master.ts';
import { codeOf } from '../../../../helpers/code-of.ts';

const read = (ids: typeof readMethodIds, code: Cell) => {
  const boc = parseBoc(new Uint8Array(code.toBoc()));
  return ids(boc, onlyRoot(boc));
};
const MASTER = ['get_jetton_data', 'get_wallet_address'].map(methodId).sort((a, b) => a - b);
const plain = codeOf({ 0: '', get_wallet_data: '71' });
const ITS = [0, methodId('get_wallet_data')];
/** The instructions after SETCP0. */
const selector = (): Slice => plain.beginParse().skip(16);

describe('methods of a code that does not begin with them', () => {
  it('are found where Tact calls the handler of messages first', () => {
    expect(read(readMethodIds, TACT_MASTER)).toEqual([]);
    expect(read(findHiddenMethods, TACT_MASTER)).toEqual(MASTER);
  });

  it.each<readonly [string, Cell]>([
    [
      'a continuation in a cell of its own',
      beginCell().storeUint(0xff008a, 24).storeRef(beginCell().storeSlice(selector())).endCell(),
    ],
    [
      'behind another reference',
      beginCell().storeUint(0xff0020e303, 40).storeRef(Cell.EMPTY).storeSlice(selector()).endCell(),
    ],
  ])('are found in %s', (_, code) => {
    expect(read(readMethodIds, code)).toEqual([]);
    expect(read(findHiddenMethods, code)).toEqual(ITS);
  });

  it.each<readonly [string, Cell]>([
    ['an empty cell', Cell.EMPTY],
    [
      'a dictionary that nothing jumps into',
      beginCell().storeUint(0x20f4a413, 32).storeUint(0, 16).storeRef(plain.refs[0]!).endCell(),
    ],
    [
      'a reference that is no dictionary',
      beginCell().storeUint(0x20f4a413f4bc, 48).storeRef(Cell.EMPTY).endCell(),
    ],
    ['a library cell', beginCell().storeUint(2, 8).storeBuffer(plain.hash()).endCell({ exotic: true })],
    ['a chain of cells', chain(500)],
  ])('are none in %s', (_, code) => {
    expect(read(findHiddenMethods, code)).toEqual([]);
  });
});

function chain(length: number): Cell {
  let cell = Cell.EMPTY;
  for (let i = 0; i < length; i++)
    cell = beginCell().storeUint(i, 16).storeRef(cell).storeRef(cell).endCell();
  return cell;
}
