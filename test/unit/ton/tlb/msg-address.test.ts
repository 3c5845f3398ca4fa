import { Address, ExternalAddress } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { rewriteAddress } from '../../../../src/ton/tlb/anycast.ts';
import { loadMsgAddress, loadMsgAddressExt, loadMsgAddressInt } from '../../../../src/ton/tlb/msg-address.ts';
import { bits, made } from './cells.ts';

const HASH = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';

describe('MsgAddress', () => {
  it('addr_none', () => {
    const slice = bits('00');
    expect(loadMsgAddressExt(slice)).toEqual({ kind: 'none' });
    slice.end('none');
  });

  it('addr_extern, of a length that is not whole bytes', () => {
    const slice = made((builder) => builder.storeAddress(new ExternalAddress(0x2abn, 11)));
    const address = loadMsgAddress(slice);
    expect(address).toEqual({
      kind: 'extern',
      address: { bytes: Uint8Array.of(0b01010101, 0b01100000), bitLength: 11 },
    });
    slice.end('extern');
  });

  it('addr_std, negative workchain', () => {
    const slice = made((builder) => builder.storeAddress(Address.parse(`-1:${HASH}`)));
    expect(loadMsgAddressInt(slice)).toEqual({
      kind: 'std',
      anycast: null,
      workchain: -1,
      address: Uint8Array.fromHex(HASH),
    });
    slice.end('std');
  });

  it('addr_std with anycast: the prefix replaces the first bits', () => {
    const slice = made((builder) =>
      builder
        .storeUint(0b101, 3)
        .storeUint(10, 5)
        .storeUint(0b1111100000, 10)
        .storeInt(0, 8)
        .storeBuffer(Buffer.from(HASH, 'hex')),
    );
    const address = loadMsgAddressInt(slice);
    slice.end('std');
    if (address.kind !== 'std') throw new Error('std expected');
    expect(address.anycast?.bitLength).toBe(10);
    // 83df = 1000001111 011111: the first ten bits become 1111100000.
    expect(rewriteAddress(address.address, address.anycast).toHex()).toBe(`f81f${HASH.slice(4)}`);
    expect(address.address.toHex()).toBe(HASH);
  });

  it('addr_var', () => {
    const slice = made((builder) =>
      builder.storeUint(0b110, 3).storeUint(5, 9).storeInt(-7, 32).storeUint(0b10110, 5),
    );
    expect(loadMsgAddressInt(slice)).toEqual({
      kind: 'var',
      anycast: null,
      workchain: -7,
      address: { bytes: Uint8Array.of(0b10110000), bitLength: 5 },
    });
    slice.end('var');
  });

  it.each([
    ['an internal address where an external one is wanted', '10', loadMsgAddressExt, 'tag'],
    ['an external address where an internal one is wanted', '01', loadMsgAddressInt, 'tag'],
    ['no address where an internal one is wanted', '00', loadMsgAddressInt, 'tag'],
    ['an address that ends early', '10 0 0000', loadMsgAddressInt, 'underflow'],
    ['anycast of depth 0', `10 1 00000 ${'0'.repeat(264)}`, loadMsgAddressInt, 'value'],
    ['anycast of depth 31', `10 1 11111 ${'0'.repeat(300)}`, loadMsgAddressInt, 'value'],
  ])('refuses %s', (_what, text, load, code) => {
    expect(() => load(bits(text))).toThrow(expect.objectContaining({ name: 'CellError', code }));
  });
});
