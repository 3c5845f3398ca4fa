import {
  Address,
  Builder,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  type OutAction,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  storeOutList,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { knownBodies } from '../../../../src/api/known-bodies.ts';
import { CellError } from '../../../../src/ton/boc/cell-error.ts';
import { serializeCell, serializeSlice } from '../../../../src/ton/boc/serialize.ts';
import type { Cell as OurCell } from '../../../../src/ton/cell/cell.ts';
import { cellWith } from '../../../../src/ton/cell/cell-builder.ts';
import { readCell } from '../../../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import { externalMessage } from '../../../../src/ton/messages/external-message.ts';
import {
  loadMessageRelaxed,
  storeMessageRelaxed as storeOurs,
} from '../../../../src/ton/messages/message-relaxed.ts';
import { loadOutList, outList } from '../../../../src/ton/messages/out-list.ts';
import { commentBody, loadComment } from '../../../../src/ton/messages/text-comment.ts';
import {
  loadOrderedMessages,
  signedRequest,
  unsignedRequest,
} from '../../../../src/ton/messages/wallet-request.ts';
import { Budget } from '../../../../src/ton/schema/reading.ts';
import { stateInitCell, stateInitHash } from '../../../../src/ton/store/store-state-init.ts';
import { sliceOf } from '../tlb/cells.ts';

/* Messages of wallets against @ton/core, which writes the same cells, and against the TL-B decoder of bodies. */

const HASH = new Uint8Array(32).fill(9);
const TO = new Address(0, Buffer.from(HASH));
const to = { workchain: 0, address: HASH };
const text = comment('hello');
const code = beginCell().storeUint(1, 8).endCell();
const data = beginCell().storeUint(2, 8).endCell();
const ours = (cell: Cell) => readCell(new Uint8Array(cell.toBoc()));
const coreOf = (cell: OurCell) => Cell.fromBoc(Buffer.from(writeBag(cell)))[0]!;
const hashOf = (cell: { hash(): Uint8Array }) => Buffer.from(cell.hash()).toString('hex');

const FORMS = [
  ['without a body', null, null],
  ['with a body', text, null],
  ['with code and data', text, { code, data }],
] as const;

const message = (body: Cell | null, init: { code: Cell; data: Cell } | null) =>
  cellWith(storeOurs, {
    to,
    value: 15n,
    bounce: true,
    body: body && ours(body),
    init: init && stateInitCell(ours(init.code), ours(init.data)),
  });

describe.each(FORMS)('a message to send %s', (_what, body, init) => {
  // A body in a reference, as @ton/core writes one that has no room beside the init.
  const core = () => {
    const whole = beginCell().store(storeMessageRelaxed(internal({ to: TO, value: 15n, bounce: true })));
    const start = new Builder().storeBits(whole.endCell().bits.substring(0, whole.bits - 2));
    start.storeBit(init !== null);
    if (init)
      start
        .storeBit(true)
        .storeRef(beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).endCell());
    return start.storeMaybeRef(body).endCell();
  };

  it('is stored as @ton/core stores it', () => {
    expect(hashOf(message(body, init))).toBe(hashOf(core()));
  });

  it('is read as it was stored, and as @ton/core writes it with what fits inline', () => {
    const inline = internal({
      to: TO,
      value: 15n,
      bounce: true,
      ...(init ? { init } : {}),
      ...(body ? { body } : {}),
    });
    for (const cell of [core(), beginCell().store(storeMessageRelaxed(inline)).endCell()]) {
      const found = loadMessageRelaxed(sliceOf(cell))!;
      expect(found).toMatchObject({ bounce: true, value: 15n, destination: { kind: 'std', address: HASH } });
      const wanted = body ?? beginCell().endCell();
      expect(Buffer.from(serializeSlice(found.body))).toEqual(wanted.toBoc());
    }
  });
});

describe('a message to send', () => {
  it('may name its code by a library cell', () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 7)).endCell({ exotic: true });
    const init = { code: library, data };
    const cell = beginCell().store(storeMessageRelaxed(internal({ to: TO, value: 1n, init, body: text })));
    expect(loadMessageRelaxed(sliceOf(cell.endCell()))).toMatchObject({ value: 1n });
  });

  it('is null if it is external, and refused if it is cut off', () => {
    expect(loadMessageRelaxed(sliceOf(beginCell().storeUint(0b11, 2).endCell()))).toBeNull();
    const { bits } = beginCell()
      .store(storeMessageRelaxed(internal({ to: TO, value: 1n })))
      .endCell();
    for (let length = 0; length < bits.length; length++) {
      const cut = beginCell().storeBits(bits.substring(0, length)).endCell();
      expect(() => loadMessageRelaxed(sliceOf(cut))).toThrow(CellError);
    }
  });

  it('of some wallets has no bit of extra currencies', () => {
    const { bits } = beginCell()
      .store(storeMessageRelaxed(internal({ to: TO, value: 1n })))
      .endCell();
    const before = 4 + 2 + 267 + 4 + 8;
    const without = beginCell().storeBits(bits.substring(0, before));
    without.storeBits(bits.substring(before + 1, bits.length - before - 1));
    expect(loadMessageRelaxed(sliceOf(without.endCell()), false)).toMatchObject({ value: 1n });
  });
});

const messages = [text, comment('second')].map((body) => ({ mode: 3, message: message(body, null) }));

it('a list of actions is the list of @ton/core, and is read the last message first', () => {
  const actions = [text, comment('second')].map((body): OutAction => {
    const outMsg = internal({ to: TO, value: 15n, bounce: true, body });
    return { type: 'sendMsg', mode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS, outMsg };
  });
  const core = beginCell().store(storeOutList(actions)).endCell();
  const slice = sliceOf(core);
  const bags = loadOutList(slice, 255).map((cell) => Buffer.from(serializeCell(slice.boc, cell)));
  expect(bags).toEqual([core.refs[1]!.toBoc(), core.refs[0]!.refs[1]!.toBoc()]);
  // The messages differ in where their bodies are, so lists are compared by the bits around them.
  const own = outList(messages);
  expect(Buffer.from(own.data).toString('hex')).toBe(core.bits.subbuffer(0, 40)!.toString('hex'));
  expect(own.refs[1]).toBe(messages[1]!.message);
  expect(() => loadOutList(sliceOf(beginCell().storeBit(true).endCell()), 255)).toThrow(CellError);
});

describe('a request to a wallet', () => {
  const request = { walletId: 0x29a9a317, validUntil: 1_700_000_000, seqno: 7, messages };
  const signature = new Uint8Array(64).fill(5);
  const made = (generation: 3 | 4 | 5) =>
    signedRequest(generation, unsignedRequest(generation, request), signature);

  it.each([
    [3, 'wallet_signed_v3'],
    [4, 'wallet_signed_v4'],
    [5, 'w5_external_signed_request'],
  ] as const)('of generation %i is decoded by its layout, and read as it was stored', (generation, name) => {
    const bag = serializeSlice(sliceOf(coreOf(made(generation))));
    const shown = knownBodies().decode(bag, new Budget(2 ** 20)) as { value: Record<string, unknown> };
    expect(shown.value['@type']).toBe(name);
    const head = generation === 5 ? (shown.value.request as Record<string, unknown>) : shown.value;
    const id = generation === 5 ? head.wallet_id : head.subwallet_id;
    expect([id, head.valid_until, head.msg_seqno]).toEqual(['698983191', '1700000000', '7']);

    const slice = sliceOf(coreOf(made(generation)));
    const bags = loadOrderedMessages[generation](slice).map((cell) => serializeCell(slice.boc, cell));
    const wanted = messages.map((one) => serializeSlice(sliceOf(coreOf(one.message))));
    expect(bags).toEqual(generation === 5 ? wanted.toReversed() : wanted);
  });
});

it.each(FORMS)('an external message %s is that of @ton/core', (_what, body, init) => {
  const core = external({ to: TO, body: body ?? beginCell().endCell(), ...(init ? { init } : {}) });
  const state = init && stateInitCell(ours(init.code), ours(init.data));
  const wanted = beginCell()
    .store(storeMessage(core, { forceRef: true }))
    .endCell();
  const found = externalMessage(to, { ref: ours(core.body) }, state);
  expect(hashOf(found)).toBe(hashOf(wanted));
  if (init)
    expect(Buffer.from(stateInitHash(ours(init.code), ours(init.data)))).toEqual(wanted.refs[0]!.hash());
});

describe('a comment', () => {
  it.each([0, 1, 123, 124, 1_000])('of %i bytes is that of @ton/core, and is read back', (length) => {
    const written = 'x'.repeat(length);
    expect(hashOf(commentBody(written))).toBe(hashOf(comment(written)));
    const slice = sliceOf(comment(written));
    slice.skipBits(32);
    expect(Buffer.from(loadComment(slice)!).toString()).toBe(written);
  });

  it('may begin after bits and references of other fields', () => {
    const tail = beginCell().storeBuffer(Buffer.from('tail')).endCell();
    const slice = sliceOf(
      beginCell().storeUint(1, 3).storeRef(code).storeBuffer(Buffer.from('a')).storeRef(tail).endCell(),
    );
    slice.skipBits(3);
    slice.skipRefs(1);
    expect(Buffer.from(loadComment(slice)!).toString()).toBe('atail');
    const odd = sliceOf(beginCell().storeUint(1, 3).endCell());
    expect(loadComment(odd)).toBeNull();
  });
});
