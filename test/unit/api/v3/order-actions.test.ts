import { Address, beginCell, Cell, Dictionary, internal, storeMessageRelaxed, toNano } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { orderActions } from '../../../../src/api/v3/answers/custody/order-actions.ts';

const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const raw = (byte: number) => `0:${Buffer.alloc(32, byte).toString('hex').toUpperCase()}`;
const TO = account(9);
const text = (value: string) => beginCell().storeUint(0, 32).storeStringTail(value).endCell();
const boc = (cell: Cell) => cell.toBoc().toString('base64');
const body = (opcode: number, query = 5n) => beginCell().storeUint(opcode, 32).storeUint(query, 64);

function orderOf(...actions: readonly Cell[]): string {
  const order = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  for (const [key, action] of actions.entries()) order.set(key, action);
  return boc(beginCell().storeDictDirect(order).endCell());
}
/** The action that sends a message with a body. */
function sending(content: Cell | string, init?: { code: Cell; data: Cell }): Cell {
  const message = internal({ to: TO, value: toNano('1.5'), body: content, ...(init ? { init } : {}) });
  const cell = beginCell().store(storeMessageRelaxed(message)).endCell();
  return beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(cell).endCell();
}
const parsed = (content: Cell) => {
  const [action] = orderActions(orderOf(sending(content)));
  return [action?.parsed_body_type, action?.parsed_body];
};

const forwarded = (payload: Cell | null) =>
  body(0x0f8a7ea5)
    .storeCoins(7n)
    .storeAddress(account(1))
    .storeAddress(account(2))
    .storeMaybeRef(null)
    .storeCoins(1n)
    .storeMaybeRef(payload)
    .endCell();
const TRANSFER = {
  query_id: 5,
  amount: '7',
  destination: raw(1),
  response: raw(2),
  custom_payload: null,
  forward_amount: '1',
  comment: null,
  encrypted_comment: null,
  payload_sum_type: '',
  forward_payload: boc(beginCell().endCell()),
  stonfi_swap_body: null,
};

describe('actions of an order', () => {
  it('show what is sent, in the order of their keys', () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const first = sending(text('hello'));
    expect(orderActions(orderOf(first, sending('', { code, data: code })))).toEqual([
      {
        destination: raw(9),
        value: '1500000000',
        body_raw: boc(text('hello')),
        parsed: true,
        error: null,
        parsed_body: { comment: 'hello', encrypted: false },
        parsed_body_type: 'ton_transfer',
        send_mode: 3,
      },
      expect.objectContaining({ parsed_body_type: 'ton_transfer', destination: raw(9) }),
    ]);
  });

  it.each([
    [
      'nft_transfer',
      body(0x5fcc3d14)
        .storeAddress(account(1))
        .storeAddress(null)
        .storeMaybeRef(null)
        .storeCoins(2n)
        .storeBit(false)
        .endCell(),
      {
        query_id: 5,
        new_owner: raw(1),
        response_destination: null,
        custom_payload: null,
        forward_amount: '2',
        forward_payload: boc(beginCell().endCell()),
      },
    ],
    ['jetton_transfer', forwarded(null), TRANSFER],
    [
      'jetton_transfer',
      forwarded(text('paid')),
      { ...TRANSFER, comment: 'paid', payload_sum_type: 'TextComment', forward_payload: boc(text('paid')) },
    ],
    [
      'jetton_burn',
      body(0x595f07bc).storeCoins(3n).storeAddress(account(1)).endCell(),
      { query_id: 5, amount: '3', response_destination: raw(1) },
    ],
    [
      'jetton_mint',
      body(0x642b7d07)
        .storeAddress(account(1))
        .storeCoins(4n)
        .storeRef(body(0x178d4519, 6n).storeCoins(8n).endCell())
        .endCell(),
      {
        opcode: 0x642b7d07,
        query_id: 5,
        to_address: raw(1),
        ton_amount: '4',
        master_msg_query_id: 6,
        master_msg_jetton_amount: '8',
      },
    ],
    ['jetton_top_up', body(0x9fd3).endCell(), { query_id: 5 }],
    ['unknown', body(0xd372158c).endCell(), { opcode: 0xd372158c, data: boc(body(0xd372158c).endCell()) }],
    [
      'jetton_change_admin',
      body(0x6501f354).storeAddress(account(1)).endCell(),
      { query_id: 5, new_admin_address: raw(1) },
    ],
    ['jetton_claim_admin', body(0xfb88e119).endCell(), { query_id: 5 }],
    [
      'jetton_change_content',
      body(0xcb862902).storeStringTail('https://a').endCell(),
      { query_id: 5, new_metadata_url: 'https://a' },
    ],
    [
      'jetton_call_to',
      body(0x235caf52)
        .storeAddress(account(1))
        .storeCoins(4n)
        .storeRef(body(0xeed236d3, 6n).storeUint(3, 4).endCell())
        .endCell(),
      {
        query_id: 5,
        to_address: raw(1),
        ton_amount: '4',
        action_type: 'JettonSetStatus',
        action_data: { query_id: 6, new_status: 3 },
      },
    ],
    ['jetton_set_status', body(0xeed236d3).storeUint(1, 4).endCell(), { query_id: 5, new_status: 1 }],
    ['single_nominator_withdraw', body(0x1000).storeCoins(9n).endCell(), { query_id: 5, coins: '9' }],
    [
      'single_nominator_change_validator',
      body(0x1001).storeAddress(account(1)).endCell(),
      { query_id: 5, validator_address: raw(1) },
    ],
    [
      'vesting_internal_transfer',
      body(0x75097f5d)
        .storeUint(3, 8)
        .storeRef(
          beginCell()
            .store(storeMessageRelaxed(internal({ to: TO, value: 1n, body: 'hi' })))
            .endCell(),
        )
        .endCell(),
      {
        query_id: 5,
        send_mode: 3,
        destination: raw(9),
        value: '1',
        message_body: boc(text('hi')),
        comment: 'hi',
      },
    ],
    ['ton_transfer', beginCell().storeUint(1, 8).endCell(), { comment: null, encrypted: false }],
    // Cut off in the middle of a transfer.
    [
      'unknown',
      beginCell().storeUint(0x0f8a7ea5, 32).endCell(),
      { opcode: 0, data: boc(beginCell().storeUint(0x0f8a7ea5, 32).endCell()) },
    ],
  ])('read the body of %s', (type, content, fields) => {
    expect(parsed(content)).toEqual([type, fields]);
  });

  it('show a swap at Ston.fi with whole coins, and every digit of a long query id', () => {
    const swap = beginCell()
      .storeUint(0x25938561, 32)
      .storeAddress(account(3))
      .storeCoins(1_250_000_000n)
      .storeAddress(account(4))
      .endCell();
    expect(parsed(forwarded(swap))[1]).toMatchObject({
      payload_sum_type: 'StonfiSwap',
      stonfi_swap_body: { jetton_wallet: raw(3), min_amount: '1.25', user_address: raw(4) },
    });
    const long = parsed(body(0x9fd3, 2n ** 64n - 1n).endCell());
    expect(JSON.stringify(long)).toBe('["jetton_top_up",{"query_id":18446744073709551615}]');
  });

  it('change parameters, or have the reason why they cannot be read', () => {
    const signers = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
    signers.set(0, account(1)).set(2, account(2));
    const change = beginCell()
      .storeUint(0x1d0cfbd3, 32)
      .storeUint(2, 8)
      .storeRef(beginCell().storeDictDirect(signers).endCell())
      .storeBit(false)
      .endCell();
    const nothing = beginCell().storeUint(7, 32).endCell();
    const external = beginCell()
      .storeUint(0xf1381e5b, 32)
      .storeUint(3, 8)
      .storeRef(beginCell().storeUint(3, 2).endCell());
    const [changed, unknown, outside] = orderActions(orderOf(change, nothing, external.endCell()));
    const none = { destination: null, value: null, body_raw: null, send_mode: 0 };
    expect(changed).toEqual({
      ...none,
      parsed: true,
      error: null,
      parsed_body: { new_threshold: 2, new_signers: [raw(1), raw(2)], new_proposers: [] },
      parsed_body_type: 'multisig_update_params',
    });
    const failed = { ...none, parsed: false, parsed_body: null, parsed_body_type: 'unknown' };
    expect(unknown).toEqual({ ...failed, error: 'unknown action 0x00000007' });
    expect(outside).toEqual({ ...failed, error: expect.stringContaining('int_msg_info') });
    // An order that is no dictionary does nothing.
    expect(orderActions(boc(Cell.EMPTY))).toEqual([]);
  });
});
