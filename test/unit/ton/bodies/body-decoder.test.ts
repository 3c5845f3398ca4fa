import { type Builder, beginCell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { knownBodies, knownLayouts } from '../../../../src/api/known-bodies.ts';
import { BodyDecoder } from '../../../../src/ton/bodies/body-decoder.ts';
import { bodyLayouts } from '../../../../src/ton/bodies/body-layouts.ts';
import { schemaOfAbi } from '../../../../src/ton/bodies/contract-abi.ts';
import { userLayouts } from '../../../../src/ton/bodies/user-layouts.ts';
import { Budget } from '../../../../src/ton/schema/reading.ts';

const decode = (content: Builder, decoder = knownBodies(), bytes = 2 ** 20) =>
  decoder.decode(content.endCell().toBoc(), new Budget(bytes));
const body = (op: number) => beginCell().storeUint(op, 32);
const none = (builder: Builder) => builder.storeUint(0, 2);

describe('layouts', () => {
  it.each([
    [0x0f8a7ea5, 'jetton_transfer'],
    [0x00000000, 'text_comment'],
    [0x00000001, 'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin'],
    [0x7362d09c, 'jetton_notify'],
    [0xf718510f, 'mulisig_new_order'],
    [0xfb88e119, null],
  ])('name of %i', (op, name) => {
    expect(knownBodies().getName(op)).toBe(name);
  });
});

describe('order of trials', () => {
  it('an empty body, one without an op and one of an unknown op', () => {
    expect(decode(beginCell())).toEqual({ value: { '@type': 'empty_cell' } });
    expect(decode(beginCell().storeUint(5, 31))).toEqual({ undecoded: 'unknown' });
    expect(decode(body(0xfb88e119))).toEqual({ undecoded: 'unknown' });
  });

  it('of one op, the first layout that can be read; what is left over does not matter', () => {
    const change = body(0x4eb1f0f9).storeUint(1, 64).storeUint(2, 256);
    expect(decode(change)).toMatchObject({ value: { '@type': 'delete_dns_record', query_id: '1' } });
    const resolver = beginCell().storeUint(0xba93, 16);
    const set = body(0x4eb1f0f9).storeUint(1, 64).storeUint(2, 256).storeRef(none(resolver).endCell());
    expect(decode(set)).toMatchObject({ value: { '@type': 'change_dns_record' } });
    expect(decode(body(0xd53276db).storeUint(1, 64).storeUint(1, 8))).toMatchObject({
      value: { '@type': 'excess', query_id: '1' },
    });
  });

  it('a signed body must end with its layout', () => {
    const message = beginCell().storeUint(0x10, 6).storeUint(0, 2).storeUint(4, 3).storeInt(0, 8);
    const sent = message
      .storeUint(1, 256)
      .storeCoins(1)
      .storeBit(0)
      .storeUint(0, 4 + 4 + 64 + 32 + 1 + 1);
    const signed = (more: number) =>
      beginCell()
        .storeUint(0xabcdef01, 32)
        .storeUint(0, 480)
        .storeUint(5, 32)
        .storeUint(6, 32)
        .storeUint(7, 32)
        .storeUint(3, 8)
        .storeRef(sent.endCell())
        .storeUint(0, more);
    expect(decode(signed(0))).toMatchObject({
      value: { '@type': 'wallet_signed_v3', subwallet_id: '5', valid_until: '6', msg_seqno: '7' },
    });
    expect(decode(signed(1))).toEqual({ undecoded: 'unknown' });
  });

  it('payloads within are decoded in the same way, ten levels deep', () => {
    let payload = body(0).storeStringTail('in the middle');
    const wrapped = (inner: Builder) =>
      none(body(0x05138d91).storeUint(1, 64)).storeBit(1).storeRef(inner.endCell());
    for (let level = 0; level < 12; level++) payload = wrapped(payload);
    let shown = (decode(payload) as { value: Record<string, unknown> }).value;
    for (let level = 0; level < 11; level++) {
      expect(shown['@type']).toBe('nft_ownership_assigned');
      shown = (shown.forward_payload as Record<string, unknown>).value as Record<string, unknown>;
    }
    expect(shown).toMatch(/^te6ccgE/);
  });
});

describe('hostile bodies', () => {
  it('bytes that are no bag of cells', () => {
    const { decode: plain } = {
      decode: (bytes: Uint8Array) => knownBodies().decode(bytes, new Budget(1000)),
    };
    expect(plain(new Uint8Array())).toEqual({ undecoded: 'malformed' });
    expect(plain(new TextEncoder().encode('te6'))).toEqual({ undecoded: 'malformed' });
  });

  it('a chain of actions deeper than any wallet makes', () => {
    const chain = (length: number) => {
      let list = beginCell().endCell();
      for (let at = 0; at < length; at++)
        list = beginCell().storeRef(list).storeUint(0xad4de08e, 32).storeRef(beginCell().endCell()).endCell();
      return body(0xae42e5a4).storeUint(1, 64).storeRef(list);
    };
    expect(decode(chain(254))).toMatchObject({ value: { '@type': 'highload_v3_internal_request' } });
    expect(decode(chain(1000))).toEqual({ undecoded: 'depth' });
  });

  it('a dictionary whose forks meet in one cell spells out more than can be shown', () => {
    let edge = beginCell().storeUint(0b00, 2).storeInt(1, 32).endCell();
    for (let level = 0; level < 32; level++)
      edge = beginCell().storeUint(0, 2).storeRef(edge).storeRef(edge).endCell();
    const burn = body(0x73403c43).storeUint(1, 64).storeBit(1).storeRef(edge).storeBit(0);
    expect(decode(burn)).toEqual({ undecoded: 'size' });
  });

  it('a dictionary of 10,000 keys', () => {
    const keys = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Int(32));
    for (let key = 0; key < 10_000; key++) keys.set(key * 7919, key);
    const burn = body(0x73403c43).storeUint(1, 64).storeDict(keys).storeBit(0);
    expect(decode(burn)).toEqual({ undecoded: 'size' });
    expect(decode(burn, knownBodies(), 2 ** 24)).toMatchObject({ value: { '@type': 'bidask_burn' } });
  });

  it('texts that are not UTF-8, or long', () => {
    expect(decode(body(0).storeBuffer(Buffer.from([0x41, 0xc3, 0x28, 0])))).toEqual({
      value: { '@type': 'text_comment', text: 'A\\xc3(' },
    });
    const long = body(0).storeStringTail('x'.repeat(100_000));
    expect(decode(long)).toMatchObject({ value: { '@type': 'text_comment' } });
    expect(decode(long, knownBodies(), 50_000)).toEqual({ undecoded: 'size' });
  });
});

describe('layouts of users', () => {
  const withUsers = (text: string) =>
    new BodyDecoder(bodyLayouts(knownLayouts(), userLayouts(text, 'mine.tlb')));

  it('are tried behind those that are known', () => {
    const decoder = withUsers(`
      vote#11223344 query_id:uint64 choice:Choice = InternalMsgBody; // what my contract takes
      yes#01 = Choice; no#02 reason:^SnakeString = Choice;
      mine#d53276db a:uint8 = InternalMsgBody;`);
    expect(decoder.getName(0x11223344)).toBe('vote');
    expect(decoder.getName(0xd53276db)).toBe('excess');
    const vote = body(0x11223344).storeUint(1, 64).storeUint(2, 8);
    expect(decode(vote.storeRef(beginCell().storeStringTail('never').endCell()), decoder)).toEqual({
      value: { '@type': 'vote', query_id: '1', choice: { '@type': 'no', reason: 'never' } },
    });
    expect(decode(body(0xd53276db).storeUint(1, 8), decoder)).toMatchObject({ value: { '@type': 'mine' } });
  });

  it.each([
    ['part#_ a:uint8 = Part;', /mine\.tlb:1: no message body/],
    ['body#1234 a:uint8 = InternalMsgBody;', /mine\.tlb:1: body has no op: its tag must have 32 bits/],
    ['\nbody#12345678 a:Part = InternalMsgBody;', /mine\.tlb:2: there is no type Part/],
  ])('%j is refused', (text, error) => {
    expect(() => withUsers(text)).toThrow(error);
  });

  it('are read from the ABI of a contract', () => {
    const abi = {
      types: [
        { name: 'StateInit', header: null, fields: [] },
        {
          name: 'Bid',
          header: 0x55667788,
          fields: [
            { name: 'amount', type: { kind: 'simple', type: 'uint', optional: false, format: 'coins' } },
            { name: 'owner', type: { kind: 'simple', type: 'address', optional: false } },
            { name: 'note', type: { kind: 'simple', type: 'string', optional: true } },
            { name: 'terms', type: { kind: 'simple', type: 'Terms', optional: false } },
            { name: 'rest', type: { kind: 'simple', type: 'slice', optional: false, format: 'remainder' } },
          ],
        },
        {
          name: 'Terms',
          header: null,
          fields: [{ name: 'days', type: { kind: 'simple', type: 'uint', format: 16 } }],
        },
      ],
    };
    const decoder = new BodyDecoder(
      bodyLayouts(knownLayouts(), userLayouts(schemaOfAbi(JSON.stringify(abi), 'a.abi'), 'a.abi')),
    );
    const bid = none(body(0x55667788).storeCoins(5)).storeBit(0).storeUint(30, 16);
    expect(decode(bid, decoder)).toEqual({
      value: {
        '@type': 'Bid',
        amount: { '@type': 'nanocoins', amount: { '@type': 'var_uint', len: '1', value: '5' } },
        owner: { '@type': 'addr_none' },
        note: { '@type': 'nothing_from_maybe' },
        terms: { days: '30' },
        rest: { '@type': 'empty_cell' },
      },
    });
    expect(() => schemaOfAbi('{}', 'a.abi')).toThrow(/a\.abi:1: no ABI/);
    expect(() => schemaOfAbi('{', 'a.abi')).toThrow(/a\.abi:1: no JSON/);
  });
});
