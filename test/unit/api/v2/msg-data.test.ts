import { BitString, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { bodyText } from '../../../../src/api/v2/format/msg-data.ts';
import type { PackedMessage } from '../../../../src/ton/columns/message-pack.ts';

const ZERO = new Uint8Array(32);

function messageWith(body: Cell, init: Cell | null = null): PackedMessage {
  const slice = body.beginParse(true);
  return {
    direction: 'in',
    kind: 'internal',
    hash: ZERO,
    hashNorm: ZERO,
    createdLt: 0n,
    createdAt: 0,
    source: { kind: 'none' },
    destination: { kind: 'none' },
    value: 0n,
    valueExtra: [],
    fwdFee: 0n,
    ihrFee: 0n,
    importFee: 0n,
    extraFlags: null,
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    opcode: slice.remainingBits >= 32 ? slice.preloadUint(32) : null,
    bodyHash: body.hash(),
    body: body.toBoc({ idx: false, crc32: true }),
    initHash: init ? init.hash() : null,
    init: init ? init.toBoc({ idx: false, crc32: true }) : null,
  };
}

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const boc = (cell: Cell) => cell.toBoc({ idx: false, crc32: true }).toString('base64');

describe('comments', () => {
  it('are text in base64, and as they are in message', () => {
    const body = beginCell().storeUint(0, 32).storeStringTail('héllo').endCell();
    expect(bodyText(messageWith(body))).toEqual({
      msgData: { '@type': 'msg.dataText', text: base64('héllo') },
      message: 'héllo',
    });
  });

  it('continue in the first reference of each cell, even if a cell ends inside a byte', () => {
    const bytes = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(8));
    const bits = new BitString(bytes, 0, bytes.length * 8);
    // Cuts inside bytes, one of them leaving a cell without data.
    const cuts = [0, 83, 1000, 1000, 1003, 2000, bits.length];
    let next: Cell | null = null;
    for (let i = cuts.length - 2; i >= 0; i--) {
      const cell = beginCell();
      if (i === 0) cell.storeUint(0, 32);
      cell.storeBits(bits.substring(cuts[i]!, cuts[i + 1]! - cuts[i]!));
      if (next) cell.storeRef(next).storeRef(beginCell().storeUint(7, 8).endCell());
      next = cell.endCell();
    }
    const root = next!;
    expect(bodyText(messageWith(root))).toEqual({
      msgData: { '@type': 'msg.dataText', text: base64(bytes) },
      message: bytes.toString(),
    });
  });

  it('may be empty', () => {
    const body = beginCell().storeUint(0, 32).endCell();
    expect(bodyText(messageWith(body))).toEqual({
      msgData: { '@type': 'msg.dataText', text: '' },
      message: '',
    });
  });

  it('have no text if they are no UTF-8', () => {
    const body = beginCell()
      .storeUint(0, 32)
      .storeBuffer(Buffer.from([0xff, 0xfe]))
      .endCell();
    expect(bodyText(messageWith(body))).toEqual({
      msgData: { '@type': 'msg.dataText', text: base64(Uint8Array.of(0xff, 0xfe)) },
      message: '',
    });
  });

  it('stay encrypted', () => {
    const body = beginCell()
      .storeUint(0x2167da4b, 32)
      .storeBuffer(Buffer.from([1, 2, 3]))
      .endCell();
    expect(bodyText(messageWith(body))).toEqual({
      msgData: { '@type': 'msg.dataEncryptedText', text: base64(Uint8Array.of(1, 2, 3)) },
      message: '',
    });
  });
});

describe('other bodies', () => {
  it('are cells, and the bits of the root cell in message', () => {
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(5, 3)
      .storeRef(beginCell().storeUint(1, 8))
      .endCell();
    const init = beginCell().storeUint(0, 5).endCell();
    expect(bodyText(messageWith(body, init))).toEqual({
      msgData: { '@type': 'msg.dataRaw', body: boc(body), init_state: boc(init) },
      message: `${base64(Uint8Array.of(0x0f, 0x8a, 0x7e, 0xa5, 0b10100000))}\n`,
    });
  });

  it('are an empty cell if there is none', () => {
    const body = beginCell().endCell();
    expect(bodyText(messageWith(body))).toEqual({
      msgData: { '@type': 'msg.dataRaw', body: 'te6cckEBAQEAAgAAAEysuc0=', init_state: '' },
      message: '',
    });
  });

  it('include those that begin like a comment and have no complete bytes', () => {
    const body = beginCell().storeUint(0, 35).endCell();
    expect(bodyText(messageWith(body)).msgData['@type']).toBe('msg.dataRaw');
  });

  it('are also those whose comment runs into an exotic cell', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32)).endCell({ exotic: true });
    const body = beginCell().storeUint(0, 32).storeRef(library).endCell();
    expect(bodyText(messageWith(body)).msgData['@type']).toBe('msg.dataRaw');
  });
});
