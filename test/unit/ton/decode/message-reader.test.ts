import { Address, type Builder, beginCell, Cell, loadMessage } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../../../src/ton/boc/boc.ts';
import { CellHashes } from '../../../../src/ton/boc/cell-hashes.ts';
import { MessageReader } from '../../../../src/ton/decode/message-reader.ts';

const ACCOUNT = Address.parse(`0:${'a1'.repeat(32)}`);
const CODE = beginCell().storeUint(0xc0de, 16).storeRef(beginCell().storeUint(1, 1)).endCell();
const DATA = beginCell().storeUint(0xda7a, 16).endCell();
const INIT = beginCell().storeUint(0b00, 2).storeMaybeRef(CODE).storeMaybeRef(DATA).storeBit(0).endCell();
const BODY = beginCell().storeUint(0xf8a7ea5, 32).storeUint(1, 7).storeRef(DATA).endCell();

function head(builder: Builder): Builder {
  builder.storeUint(0b0111, 4).storeAddress(ACCOUNT).storeAddress(ACCOUNT).storeCoins(5).storeBit(0);
  return builder.storeCoins(6).storeCoins(7).storeUint(8, 64).storeUint(9, 32);
}

function read(cell: Cell, version = 13) {
  const boc = parseBoc(new Uint8Array(cell.toBoc({ idx: false })));
  return new MessageReader(boc, new CellHashes(boc), version).read(onlyRoot(boc));
}

const hash = (cell: Cell) => new Uint8Array(cell.hash());
const bag = (cell: Cell) => new Uint8Array(cell.toBoc({ idx: false, crc32: true }));

describe('MessageReader', () => {
  it.each([
    [
      'inline init, inline body',
      (b: Builder) =>
        b.storeUint(0b10, 2).storeSlice(INIT.beginParse()).storeBit(0).storeSlice(BODY.beginParse()),
    ],
    [
      'inline init, body by reference',
      (b: Builder) => b.storeUint(0b10, 2).storeSlice(INIT.beginParse()).storeBit(1).storeRef(BODY),
    ],
    [
      'init by reference, inline body',
      (b: Builder) => b.storeUint(0b11, 2).storeRef(INIT).storeBit(0).storeSlice(BODY.beginParse()),
    ],
    ['both by reference', (b: Builder) => b.storeUint(0b11, 2).storeRef(INIT).storeBit(1).storeRef(BODY)],
  ])('%s', (_what, tail) => {
    const cell = tail(head(beginCell())).endCell();
    expect(loadMessage(cell.beginParse()).init?.code?.hash()).toEqual(CODE.hash());
    const message = read(cell);
    expect(message.hash).toEqual(hash(cell));
    expect([message.initHash, message.init]).toEqual([hash(INIT), bag(INIT)]);
    expect([message.bodyHash, message.body]).toEqual([hash(BODY), bag(BODY)]);
    expect(message.opcode).toBe(0xf8a7ea5);
  });

  it('an empty inline body is the empty cell; a body of 31 bits has no opcode', () => {
    const empty = read(head(beginCell()).storeUint(0b00, 2).endCell());
    expect([empty.bodyHash, empty.body]).toEqual([hash(Cell.EMPTY), bag(Cell.EMPTY)]);
    expect([empty.opcode, empty.initHash, empty.init]).toEqual([null, null, null]);
    expect(read(head(beginCell()).storeUint(0b00, 2).storeUint(0, 31).endCell()).opcode).toBeNull();
    expect(read(head(beginCell()).storeUint(0b00, 2).storeUint(0, 32).endCell()).opcode).toBe(0);
  });

  it('a body that is an exotic cell has no opcode', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 5)).endCell({ exotic: true });
    const message = read(head(beginCell()).storeUint(0b01, 2).storeRef(library).endCell());
    expect([message.opcode, message.bodyHash]).toEqual([null, hash(library)]);
  });

  it('the place of ihr_fee holds extra_flags from version 12 on', () => {
    const cell = head(beginCell()).storeUint(0b00, 2).endCell();
    expect(read(cell, 12)).toMatchObject({ ihrFee: 0n, extraFlags: 6n, fwdFee: 7n });
    expect(read(cell, 11)).toMatchObject({ ihrFee: 6n, extraFlags: null, fwdFee: 7n });
    expect(read(cell, 0)).toMatchObject({ ihrFee: 6n, extraFlags: null, fwdFee: 7n });
  });

  it('external messages of one content have one normalised hash, whatever surrounds it', () => {
    const start = (source: (b: Builder) => Builder) =>
      source(beginCell().storeUint(0b10, 2)).storeAddress(ACCOUNT);
    const none = (b: Builder) => b.storeUint(0, 2);
    const extern = (b: Builder) => b.storeUint(0b01, 2).storeUint(5, 9).storeUint(17, 5);
    const plain = start(none).storeCoins(0).storeUint(0b01, 2).storeRef(BODY).endCell();
    const inline = start(none).storeCoins(0).storeUint(0b00, 2).storeSlice(BODY.beginParse()).endCell();
    const dressed = start(extern).storeCoins(99).storeUint(0b111, 3).storeRef(INIT).storeRef(BODY).endCell();
    expect(read(plain).hashNorm).toEqual(hash(plain));
    for (const cell of [inline, dressed]) {
      expect(read(cell).hash).toEqual(hash(cell));
      expect(read(cell).hashNorm).toEqual(hash(plain));
    }
    expect(read(dressed)).toMatchObject({ kind: 'ext_in', importFee: 99n, extraFlags: null });
    expect(read(dressed).source).toEqual({ kind: 'extern', bits: Uint8Array.of(17 << 3), bitLength: 5 });
  });

  it('an anycast destination is given as the account that it leads to', () => {
    const builder = beginCell()
      .storeUint(0b10_00, 4)
      .storeUint(0b101, 3)
      .storeUint(4, 5)
      .storeUint(0b0110, 4);
    builder.storeInt(-1, 8).storeBuffer(Buffer.alloc(32, 0xff)).storeCoins(0).storeUint(0b00, 2);
    const { destination } = read(builder.endCell());
    expect(destination).toEqual({
      kind: 'std',
      workchain: -1,
      hash: Uint8Array.fromHex(`6f${'ff'.repeat(31)}`),
    });
  });
});
