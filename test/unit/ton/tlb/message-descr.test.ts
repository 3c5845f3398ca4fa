import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { type InMsg, loadInMsg } from '../../../../src/ton/tlb/message/in-msg.ts';
import { loadMsgEnvelope } from '../../../../src/ton/tlb/message/msg-envelope.ts';
import { loadOutMsg, type OutMsg } from '../../../../src/ton/tlb/message/out-msg.ts';
import { hexBytes, made } from './cells.ts';

const MESSAGE = beginCell().storeUint(0xabcd, 16).endCell();
const TRANSACTION = beginCell().storeUint(0x7777, 16).endCell();
const PROOF = beginCell().storeUint(0x9999, 16).endCell();

/** msg_envelope#4, regular addresses, fwd_fee_remaining 3 */
const ENVELOPE = beginCell()
  .storeUint(4, 4)
  .storeUint(0, 8)
  .storeUint(96, 8)
  .storeCoins(3)
  .storeRef(MESSAGE)
  .endCell();
const IMPORTED = beginCell().storeUint(0b000, 3).storeRef(MESSAGE).storeRef(TRANSACTION).endCell();

/** The first 16 bits of a referenced cell, to distinguish cells. */
function markOf(read: { boc: { bytes: Uint8Array; dataStart: Uint32Array } }, cell: number): number {
  const at = read.boc.dataStart[cell] as number;
  return ((read.boc.bytes[at] as number) << 8) | (read.boc.bytes[at + 1] as number);
}

interface Case {
  readonly kind: string;
  readonly tag: string;
  readonly write: (builder: Builder) => unknown;
  readonly transaction: boolean;
  readonly fee?: bigint;
}

function withTag(entry: Case) {
  return made((builder) => {
    for (const bit of entry.tag) builder.storeBit(bit === '1');
    entry.write(builder);
  });
}

const ref =
  (...cells: Cell[]) =>
  (builder: Builder) => {
    for (const cell of cells) builder.storeRef(cell);
    return builder;
  };

const IN_CASES: Case[] = [
  { kind: 'ext', tag: '000', write: ref(MESSAGE, TRANSACTION), transaction: true, fee: 0n },
  {
    kind: 'ihr',
    tag: '010',
    write: (builder) => ref(MESSAGE, TRANSACTION)(builder).storeCoins(8).storeRef(PROOF),
    transaction: true,
    fee: 8n,
  },
  {
    kind: 'imm',
    tag: '011',
    write: (builder) => ref(ENVELOPE, TRANSACTION)(builder).storeCoins(9),
    transaction: true,
    fee: 9n,
  },
  {
    kind: 'fin',
    tag: '100',
    write: (builder) => ref(ENVELOPE, TRANSACTION)(builder).storeCoins(10),
    transaction: true,
    fee: 10n,
  },
  {
    kind: 'tr',
    tag: '101',
    write: (builder) => ref(ENVELOPE, ENVELOPE)(builder).storeCoins(11),
    transaction: false,
    fee: 11n,
  },
  {
    kind: 'discard_fin',
    tag: '110',
    write: (builder) => ref(ENVELOPE)(builder).storeUint(5, 64).storeCoins(12),
    transaction: false,
    fee: 12n,
  },
  {
    kind: 'discard_tr',
    tag: '111',
    write: (builder) => ref(ENVELOPE)(builder).storeUint(5, 64).storeCoins(13).storeRef(PROOF),
    transaction: false,
    fee: 13n,
  },
  {
    kind: 'deferred_fin',
    tag: '00100',
    write: (builder) => ref(ENVELOPE, TRANSACTION)(builder).storeCoins(14),
    transaction: true,
    fee: 14n,
  },
  { kind: 'deferred_tr', tag: '00101', write: ref(ENVELOPE, ENVELOPE), transaction: false, fee: 0n },
];

const OUT_CASES: Case[] = [
  { kind: 'ext', tag: '000', write: ref(MESSAGE, TRANSACTION), transaction: true },
  { kind: 'new', tag: '001', write: ref(ENVELOPE, TRANSACTION), transaction: true },
  { kind: 'imm', tag: '010', write: ref(ENVELOPE, TRANSACTION, IMPORTED), transaction: true },
  { kind: 'tr', tag: '011', write: ref(ENVELOPE, IMPORTED), transaction: false },
  { kind: 'deq_imm', tag: '100', write: ref(ENVELOPE, IMPORTED), transaction: false },
  { kind: 'new_defer', tag: '10100', write: ref(ENVELOPE, TRANSACTION), transaction: true },
  { kind: 'deferred_tr', tag: '10101', write: ref(ENVELOPE, IMPORTED), transaction: false },
  {
    kind: 'deq',
    tag: '1100',
    write: (builder) => ref(ENVELOPE)(builder).storeUint(5, 63),
    transaction: false,
  },
  { kind: 'tr_req', tag: '111', write: ref(ENVELOPE, IMPORTED), transaction: false },
];

describe('InMsg', () => {
  it.each(IN_CASES)('msg_import_$kind$$$tag', (entry) => {
    const slice = withTag(entry);
    const read: InMsg = loadInMsg(slice);
    slice.end('InMsg');
    expect([read.kind, read.fee]).toEqual([entry.kind, entry.fee]);
    expect(markOf(slice, read.msg)).toBe(0xabcd);
    if (entry.transaction) expect(markOf(slice, read.transaction)).toBe(0x7777);
    else expect(read.transaction).toBe(-1);
  });

  it.each(['00110', '00111'])('refuses the tag %s', (tag) => {
    const slice = withTag({ kind: '', tag, write: ref(ENVELOPE, TRANSACTION), transaction: false });
    expect(() => loadInMsg(slice)).toThrow(expect.objectContaining({ name: 'CellError', code: 'tag' }));
  });
});

describe('OutMsg', () => {
  it.each(OUT_CASES)('msg_export_$kind$$$tag', (entry) => {
    const slice = withTag(entry);
    const read: OutMsg = loadOutMsg(slice);
    slice.end('OutMsg');
    expect(read.kind).toBe(entry.kind);
    expect(markOf(slice, read.msg)).toBe(0xabcd);
    if (entry.transaction) expect(markOf(slice, read.transaction)).toBe(0x7777);
    else expect(read.transaction).toBe(-1);
  });

  it('msg_export_deq_short$1101 carries no message', () => {
    const slice = made((builder) =>
      builder
        .storeUint(0b1101, 4)
        .storeBuffer(Buffer.from(hexBytes(1), 'hex'))
        .storeInt(-1, 32)
        .storeUint(2, 64)
        .storeUint(3, 64),
    );
    expect(loadOutMsg(slice)).toEqual({ kind: 'deq_short', msg: -1, transaction: -1, envelope: null });
    slice.end('OutMsg');
  });

  it.each(['10110', '10111'])('refuses the tag %s', (tag) => {
    const slice = withTag({ kind: '', tag, write: ref(ENVELOPE, TRANSACTION), transaction: false });
    expect(() => loadOutMsg(slice)).toThrow(expect.objectContaining({ name: 'CellError', code: 'tag' }));
  });
});

describe('MsgEnvelope', () => {
  it('version 2 with emitted_lt and metadata, addresses of all kinds', () => {
    const slice = made((builder) => {
      builder.storeUint(5, 4).storeUint(0b10, 2).storeInt(-1, 8).storeUint(7, 64);
      builder.storeUint(0b11, 2).storeInt(-300, 32).storeUint(8, 64).storeCoins(3).storeRef(MESSAGE);
      builder.storeBit(true).storeUint(99, 64).storeBit(true).storeUint(0, 4).storeUint(2, 32);
      builder
        .storeUint(0b100, 3)
        .storeInt(0, 8)
        .storeBuffer(Buffer.from(hexBytes(6), 'hex'))
        .storeUint(98, 64);
    });
    const { msg, ...read } = loadMsgEnvelope(slice);
    slice.end('MsgEnvelope');
    expect(msg).toBe(1);
    expect(read).toEqual({
      version: 2,
      curAddr: { kind: 'simple', workchain: -1, prefix: 7n },
      nextAddr: { kind: 'ext', workchain: -300, prefix: 8n },
      fwdFeeRemaining: 3n,
      emittedLt: 99n,
      metadata: {
        depth: 2,
        initiatorAddr: {
          kind: 'std',
          anycast: null,
          workchain: 0,
          address: Uint8Array.fromHex(hexBytes(6)),
        },
        initiatorLt: 98n,
      },
    });
  });

  it.each([
    ['an unknown version', (builder: Builder) => builder.storeUint(6, 4), 'tag'],
    ['97 destination bits', (builder: Builder) => builder.storeUint(4, 4).storeUint(97, 8), 'value'],
  ])('refuses %s', (_what, write, code) => {
    expect(() => loadMsgEnvelope(made(write))).toThrow(expect.objectContaining({ name: 'CellError', code }));
  });
});
