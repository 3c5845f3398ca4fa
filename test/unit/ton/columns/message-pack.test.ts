import { describe, expect, it } from 'vitest';
import {
  MESSAGE_PACK_VERSION,
  MessagePackError,
  type PackedMessage,
  packMessages,
  unpackMessages,
} from '../../../../src/ton/columns/message-pack.ts';

const bytes = (fill: number, length = 32) => new Uint8Array(length).fill(fill);

const INTERNAL: PackedMessage = {
  direction: 'in',
  kind: 'internal',
  hash: bytes(1),
  hashNorm: bytes(1),
  createdLt: 2n ** 64n - 1n,
  createdAt: 0xffffffff,
  source: { kind: 'std', workchain: -1, hash: bytes(2) },
  destination: { kind: 'std', workchain: 0, hash: bytes(3) },
  value: 2n ** 120n - 1n,
  valueExtra: [
    [1, 5n],
    [0xffffffff, 2n ** 248n - 1n],
  ],
  fwdFee: 400_000n,
  ihrFee: 2n ** 48n - 1n,
  importFee: 0n,
  extraFlags: 3n,
  ihrDisabled: true,
  bounce: true,
  bounced: false,
  opcode: 0xf8a7ea5,
  bodyHash: bytes(4),
  body: bytes(5, 300),
  initHash: bytes(6),
  init: bytes(7, 700),
};

const EXT_IN: PackedMessage = {
  ...INTERNAL,
  kind: 'ext_in',
  hashNorm: bytes(9),
  createdLt: 0n,
  createdAt: 0,
  source: { kind: 'extern', bits: Uint8Array.of(0xab, 0xe0), bitLength: 11 },
  destination: { kind: 'var', workchain: -2_000_000_000, bits: bytes(8, 64), bitLength: 511 },
  value: 0n,
  valueExtra: [],
  fwdFee: 0n,
  ihrFee: 0n,
  importFee: 2n ** 48n,
  extraFlags: null,
  ihrDisabled: false,
  bounce: false,
  opcode: null,
  initHash: null,
  init: null,
};

const EXT_OUT: PackedMessage = {
  ...EXT_IN,
  direction: 'out',
  kind: 'ext_out',
  hashNorm: bytes(1),
  source: { kind: 'std', workchain: 127, hash: bytes(2) },
  destination: { kind: 'none' },
  importFee: 0n,
  extraFlags: 0n,
  bounced: true,
  opcode: 0,
  body: bytes(0, 0),
};

describe('message pack', () => {
  it.each([
    ['no message', []],
    ['one', [INTERNAL]],
    ['all kinds', [INTERNAL, EXT_IN, EXT_OUT]],
    ['255 outgoing ones', Array.from({ length: 255 }, () => EXT_OUT)],
  ])('%s comes back as it was', (_what, messages) => {
    const packed = packMessages(messages);
    expect(packed[0]).toBe(MESSAGE_PACK_VERSION);
    expect(unpackMessages(packed)).toEqual(messages);
  });

  it('reads from the middle of another buffer', () => {
    const packed = packMessages([INTERNAL, EXT_IN]);
    const around = new Uint8Array(packed.length + 20);
    around.set(packed, 7);
    expect(unpackMessages(around.subarray(7, 7 + packed.length))).toEqual([INTERNAL, EXT_IN]);
  });

  it('refuses another version, every cut, and bytes left over', () => {
    const packed = packMessages([EXT_IN, EXT_OUT]);
    for (let length = 0; length < packed.length; length++) {
      expect(() => unpackMessages(packed.subarray(0, length)), String(length)).toThrow(MessagePackError);
    }
    expect(() => unpackMessages(Uint8Array.of(...packed, 0))).toThrow(MessagePackError);
    expect(() => unpackMessages(Uint8Array.of(2, ...packed.subarray(1)))).toThrow(
      /version 1 expected, 2 found/,
    );
  });
});
