import { beginCell, type Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../../src/ton/boc/boc.ts';
import { interfaceOfCode } from '../../../../../src/ton/contracts/codes/interfaces.ts';
import {
  libraryCellHash,
  readLibraryHash,
  withLibraryCells,
} from '../../../../../src/ton/contracts/codes/library-code.ts';

const code = beginCell().storeUint(0xff00, 16).endCell();
const library = beginCell().storeUint(2, 8).storeBuffer(code.hash()).endCell({ exotic: true });

function standsFor(cell: Cell): Uint8Array | null {
  const boc = parseBoc(cell.toBoc());
  return readLibraryHash(boc, onlyRoot(boc));
}

it('tells what a library cell stands for, and the hash of the library cell of a code', () => {
  expect(Buffer.from(standsFor(library)!)).toEqual(code.hash());
  expect(standsFor(code)).toBeNull();
  expect(Buffer.from(libraryCellHash(code.hash()))).toEqual(library.hash());
});

it('finds an entry by the code and by its library cell; own entries stay', () => {
  const [own, held] = [code, library].map((cell) => cell.hash().toString('hex')) as [string, string];
  expect([...withLibraryCells({ [own]: 1 }, 'hex')].sort()).toEqual(
    [
      [held, 1],
      [own, 1],
    ].sort(),
  );
  expect(withLibraryCells({ [own]: 1, [held]: 2 }, 'hex').get(held)).toBe(2);
});

it('names the library cell that contracts of mainnet have', () => {
  // Wallets of USDT and orders of multisig v2, of which the contract's table lists the library cell.
  const usdt = Uint8Array.fromHex('8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68');
  const order = Uint8Array.fromHex('6305a8061c856c2ccf05dcb0df5815c71475870567cab5f049e340bcf59251f3');
  const nameOf = (hash: Uint8Array) => interfaceOfCode(libraryCellHash(hash).toBase64());
  expect([usdt, order].map(nameOf)).toEqual(['jetton_wallet_governed', 'multisig_order_v2']);
  // A name that the table has only for the code.
  const v4r2 = Uint8Array.fromBase64('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=');
  expect(nameOf(v4r2)).toBe('wallet_v4r2');
  expect(nameOf(new Uint8Array(32))).toBeNull();
});
