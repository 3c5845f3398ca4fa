/** Codes that come with the product: each is what its hash says, and known by its library cell too. */
import { describe, expect, it } from 'vitest';
import { libraryCell, libraryCellHash } from '../../../../../src/ton/contracts/codes/library-code.ts';
import {
  readLibraryCodes,
  wellKnownCell,
} from '../../../../../src/ton/contracts/codes/well-known-libraries.ts';

const USDT_WALLET = '8f452d7a4dfd74066b682365177259ed05734435be76b5fd4bd5d8af2b7c3d68';
const BY_LIBRARY = '89468f02c78e570802e39979c8516fc38df07ea76a48357e0536f2ba7b3ee37b';

describe('well-known libraries', () => {
  it('gives the code of a hash, and the library cell that accounts hold', () => {
    expect(wellKnownCell(USDT_WALLET)?.hash().toHex()).toBe(USDT_WALLET);
    expect(wellKnownCell(BY_LIBRARY)?.hash().toHex()).toBe(BY_LIBRARY);
    expect(wellKnownCell('00'.repeat(32))).toBeNull();
  });

  it('a library cell has the hash that is computed without it', () => {
    const code = Uint8Array.fromHex(USDT_WALLET);
    expect(libraryCell(code).hash().toHex()).toBe(libraryCellHash(code).toHex());
  });

  it('refuses a code that is not what its hash says', () => {
    const boc = 'te6cckEBAQEAAgAAAEysuc0=';
    expect(() => readLibraryCodes({ [USDT_WALLET]: boc })).toThrow(/has the hash 96a296d2/);
  });
});
