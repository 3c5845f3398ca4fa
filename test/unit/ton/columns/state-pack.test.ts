import { describe, expect, it } from 'vitest';
import {
  type PackedState,
  packStates,
  STATE_PACK_VERSION,
  StatePackError,
  unpackStates,
} from '../../../../src/ton/columns/state-pack.ts';

const bytes = (fill: number, length = 32) => new Uint8Array(length).fill(fill);

const UNINIT: PackedState = {
  status: 'uninit',
  balance: 0n,
  extra: [],
  codeHash: null,
  dataHash: null,
  frozenHash: null,
};

const ACTIVE: PackedState = {
  ...UNINIT,
  status: 'active',
  balance: 2n ** 120n - 1n,
  extra: [
    [0, 1n],
    [0xffffffff, 2n ** 248n - 1n],
  ],
  codeHash: bytes(1),
  dataHash: bytes(2),
};

const FROZEN: PackedState = { ...UNINIT, status: 'frozen', balance: 1_000_000_000n, frozenHash: bytes(3) };

/** An account may have one without the other, and a hash of zeros is one. */
const NO_CODE: PackedState = { ...ACTIVE, extra: [], codeHash: null, dataHash: bytes(0) };

describe('state pack', () => {
  it.each([
    ['neither side', null, null],
    ['only before', ACTIVE, null],
    ['only after', null, FROZEN],
    ['both', UNINIT, ACTIVE],
    ['both', NO_CODE, { ...NO_CODE, codeHash: bytes(9), dataHash: null }],
  ])('%s comes back as it was', (_what, before, after) => {
    const packed = packStates({ before, after });
    expect(packed[0]).toBe(STATE_PACK_VERSION);
    expect(unpackStates(packed)).toEqual({ before, after });
  });

  it('has the bytes that the format tells', () => {
    expect([...packStates({ before: null, after: null })]).toEqual([1, 0, 0]);
    const frozen = [1 | (1 << 1) | (1 << 6), 4, 0x00, 0xca, 0x9a, 0x3b, ...bytes(3)];
    const extra: PackedState = { ...UNINIT, balance: 255n, extra: [[0x01020304, 0x1ffn]] };
    const uninit = [1 | (1 << 3), 1, 255, 1, 0, 4, 3, 2, 1, 2, 0xff, 0x01];
    expect([...packStates({ before: FROZEN, after: extra })]).toEqual([1, ...frozen, ...uninit]);
    const active = [1 | (2 << 1) | (1 << 5), 15, ...bytes(255, 15), ...bytes(0)];
    expect([...packStates({ before: null, after: NO_CODE })]).toEqual([1, 0, ...active]);
  });

  it('reads from the middle of another buffer', () => {
    const packed = packStates({ before: ACTIVE, after: FROZEN });
    const around = new Uint8Array(packed.length + 20);
    around.set(packed, 7);
    expect(unpackStates(around.subarray(7, 7 + packed.length))).toEqual({ before: ACTIVE, after: FROZEN });
  });

  it('refuses another version, every cut, and bytes left over', () => {
    const packed = packStates({ before: ACTIVE, after: FROZEN });
    for (let length = 0; length < packed.length; length++) {
      expect(() => unpackStates(packed.subarray(0, length)), String(length)).toThrow(StatePackError);
    }
    expect(() => unpackStates(Uint8Array.of(...packed, 0))).toThrow(StatePackError);
    expect(() => unpackStates(Uint8Array.of(2, ...packed.subarray(1)))).toThrow(
      /version 1 expected, 2 found/,
    );
  });

  it.each([
    ['a status that no state has', 1 | (3 << 1)],
    ['a bit that no side has', 1 | (1 << 7)],
    ['facts of an absent side', 1 << 4],
  ])('refuses %s', (_what, flags) => {
    expect(() => unpackStates(Uint8Array.of(1, 0, flags, 0))).toThrow(StatePackError);
  });

  it('packs as many extra currencies as it can count', () => {
    const extra = Array.from({ length: 65_536 }, (_, id) => [id, 1n] as const);
    expect(() => packStates({ before: null, after: { ...UNINIT, extra } })).toThrow(RangeError);
    const after = { ...UNINIT, extra: extra.slice(1) };
    expect(unpackStates(packStates({ before: null, after }))).toEqual({ before: null, after });
  });
});
