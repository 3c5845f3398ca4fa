import { beginCell, type Cell, Dictionary } from '@ton/core';
import { expect, it } from 'vitest';
import { readSuspendedList } from '../../../../../src/ton/contracts/custody/suspended-list.ts';

/** Parameter 44 by the published builder. */
function listCell(accounts: readonly (readonly [workchain: number, byte: number])[], until: number): Cell {
  const none = { serialize: () => {}, parse: () => null };
  const list = Dictionary.empty(Dictionary.Keys.Buffer(36), none);
  for (const [workchain, byte] of accounts) {
    const key = Buffer.alloc(36, byte);
    key.writeInt32BE(workchain);
    list.set(key, null);
  }
  return beginCell().storeUint(0, 8).storeDict(list).storeUint(until, 32).endCell();
}

const read = (cell: Cell) => readSuspendedList(cell.toBoc());

it('a list of suspended accounts is read whole', () => {
  const accounts = [
    [0, 0x12],
    [-1, 0x34],
    [0, 0xab],
  ] as const;
  const expected = accounts.map(
    ([workchain, byte]) => `${workchain}:${byte.toString(16).repeat(32).toUpperCase()}`,
  );
  expect(read(listCell(accounts, 1_803_189_600))).toEqual({
    accounts: new Set(expected),
    until: 1_803_189_600,
  });
  expect(read(listCell([], 4_294_967_295))).toEqual({ accounts: new Set(), until: 4_294_967_295 });
});

it('what is no such list is none', () => {
  expect(read(beginCell().endCell())).toBeNull();
  expect(read(beginCell().storeUint(1, 8).storeBit(false).storeUint(1, 32).endCell())).toBeNull();
  expect(read(beginCell().storeUint(0, 8).storeBit(false).storeUint(1, 31).endCell())).toBeNull();
  const wrong = beginCell().storeUint(0, 8).storeMaybeRef(beginCell().endCell()).storeUint(1, 32).endCell();
  expect(read(wrong)).toBeNull();
});
