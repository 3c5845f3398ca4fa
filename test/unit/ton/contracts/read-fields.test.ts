import { Address, ExternalAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { namedAddress, standard, standardOrNone } from '../../../../src/ton/contracts/read-fields.ts';
import { made } from '../tlb/cells.ts';

const ADDRESS = new Address(-1, Buffer.alloc(32, 9));
const account = (first: number) => ({
  workchain: -1,
  address: new Uint8Array(32).fill(9).with(0, first),
});

/** Each form of a MsgAddress, and what is read of it. */
const FORMS = [
  ['addr_none', made((builder) => builder.storeAddress(null)), null],
  ['addr_std', made((builder) => builder.storeAddress(ADDRESS)), account(9)],
  [
    'addr_std with anycast',
    made((builder) =>
      builder
        .storeUint(0b101, 3)
        .storeUint(8, 5)
        .storeUint(0xab, 8)
        .storeInt(-1, 8)
        .storeBuffer(ADDRESS.hash),
    ),
    account(0xab),
  ],
  ['addr_extern', made((builder) => builder.storeAddress(new ExternalAddress(0x2abn, 11))), 'addr_extern'],
  [
    'addr_var',
    made((builder) => builder.storeUint(0b110, 3).storeUint(5, 9).storeInt(-7, 32).storeUint(0b10110, 5)),
    'addr_var',
  ],
] as const;

describe.each(FORMS)('%s of a contract', (_form, slice, expected) => {
  it('is an account, the form of an address that names none, or nothing', () => {
    const read = slice.clone();
    expect(namedAddress(read)).toEqual(expected);
    read.end('address');
  });

  it('is an account or none', () => {
    const read = slice.clone();
    expect(standardOrNone(read)).toEqual(typeof expected === 'string' ? null : expected);
    read.end('address');
  });

  it('is an account where there must be one', () => {
    if (expected !== null && typeof expected !== 'string') expect(standard(slice.clone())).toEqual(expected);
    else
      expect(() => standard(slice.clone())).toThrow(
        expect.objectContaining({ name: 'CellError', code: 'value' }),
      );
  });
});
