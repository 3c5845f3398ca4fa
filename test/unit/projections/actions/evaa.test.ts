/** EVAA's supplies and withdrawals (v3-actions-rules.md 7): with TON and jettons, paid, given back and refused. */
import { describe, expect, it } from 'vitest';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { type Holder, jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, OTHER, EVAA, CONTRACT, JETTON, WALLET, OTHER_WALLET, EVAA_WALLET] = [...'uoecjwxv'].map(
  address,
) as [string, string, string, string, string, string, string, string];
const KNOWN: Known = {
  [WALLET]: jettonWallet(USER, JETTON),
  [OTHER_WALLET]: jettonWallet(OTHER, JETTON),
  [EVAA_WALLET]: jettonWallet(EVAA, JETTON),
};
const HELD: Holder = [EVAA, EVAA_WALLET];
const TON_ID = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;
const JETTON_ID = 0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278n;
const EXCESS: Sent = { op: 0xd53276db, to: USER };

const actionsOf = (...sends: Sent[]) => classified(traceFrom({ to: USER, sends }), KNOWN);
const typesOf = (...sends: Sent[]) => actionsOf(...sends).map(({ type }) => type);

/** A message to a user's contract: its opcode follows a header, whose bits could be taken for an opcode. */
function headed(op: number, body: Body, ...sends: Sent[]): Sent {
  const whole = cellOf((builder) => {
    builder.coins(9n).bit(true).ref(new CellBuilder().cell()).uint(0, 2).uint(op, 32);
    body(builder);
  });
  const bits = Array.from(whole.data, (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, whole.bitLength);
  return {
    op: Number.parseInt(bits.slice(0, 32), 2),
    to: CONTRACT,
    body: (builder) => {
      for (const bit of bits.slice(32)) builder.bit(bit === '1');
      for (const ref of whole.refs) builder.ref(ref);
    },
    sends,
  };
}

describe('a supply', () => {
  const user = (assetId: bigint, ...sends: Sent[]) =>
    headed(
      0x11,
      withQuery((builder) => builder.bigUint(assetId, 256).bigUint(1n, 64)),
      ...sends,
    );
  const success = (...sends: Sent[]): Sent => ({
    op: 0x11a,
    to: EVAA,
    body: withQuery((builder) => putAddress(builder, OTHER).bigUint(TON_ID, 256).bigUint(48n, 64)),
    sends,
  });
  const withTon = (recipient: string, ...sends: Sent[]): Sent => ({
    op: 1,
    to: EVAA,
    body: withQuery((builder) => void putAddress(builder.uint(0, 2).bigUint(50n, 64), recipient)),
    sends,
  });
  const withJettons = (recipient: string, ...sends: Sent[]) =>
    jettonTransfer(
      {
        from: [USER, WALLET],
        to: HELD,
        amount: 30n,
        payload: (builder) => void putAddress(builder.uint(1, 32).uint(0, 2), recipient),
      },
      ...sends,
    );
  const back = (to: Holder) => jettonTransfer({ from: HELD, to, amount: 30n });

  it('of TON has the amount that was taken, and takes the comment behind it in', () => {
    const told: Sent = { op: 0, to: USER, body: comment('EVAA supply.') };
    const actions = actionsOf(withTon(OTHER, user(TON_ID, success(told, EXCESS), EXCESS)));
    expect(actions).toMatchObject([
      {
        type: 'evaa_supply',
        success: true,
        source: USER,
        source_secondary: null,
        destination: OTHER,
        destination_secondary: CONTRACT,
        asset: null,
        amount: 48n,
        evaa_supply_data: {
          is_ton: true,
          asset_id: `0x${TON_ID.toString(16)}`,
          master: EVAA,
          recipient_jetton_wallet: null,
          master_jetton_wallet: null,
        },
      },
    ]);
  });

  it('behind which another comment comes leaves it beside', () => {
    const told: Sent = { op: 0, to: USER, body: comment('thanks') };
    expect(typesOf(withTon(USER, user(TON_ID, success(told))))).toEqual(['evaa_supply', 'ton_transfer']);
  });

  it('of jettons for oneself has the own wallet for the receiving one', () => {
    expect(actionsOf(withJettons(USER, user(JETTON_ID, success())))).toMatchObject([
      {
        type: 'evaa_supply',
        success: true,
        source_secondary: WALLET,
        asset: JETTON,
        amount: 48n,
        evaa_supply_data: {
          is_ton: false,
          master: EVAA,
          recipient_jetton_wallet: WALLET,
          master_jetton_wallet: EVAA_WALLET,
        },
      },
    ]);
  });

  it.each([
    ['told', { op: 0x11f, to: EVAA } as Sent, OTHER, null],
    ['given back to the receiver', back([OTHER, OTHER_WALLET]), OTHER, OTHER_WALLET],
    ['given back to the sender', back([USER, WALLET]), USER, WALLET],
  ])('of jettons that failed, %s, has the amount that was sent', (_, child, recipient, wallet) => {
    const supplies = actionsOf(withJettons(recipient, user(JETTON_ID, child)));
    expect(supplies.filter(({ type }) => type === 'evaa_supply')).toMatchObject([
      { success: false, amount: 30n, evaa_supply_data: { recipient_jetton_wallet: wallet } },
    ]);
  });

  it('that nothing answers is none', () => {
    expect(typesOf(withTon(USER, user(TON_ID)))).toEqual(['call_contract', 'call_contract']);
    expect(typesOf(withTon(USER))).toEqual(['call_contract']);
  });

  it('that comes twice in a trace is two', () => {
    expect(
      typesOf(withTon(USER, user(TON_ID, success())), withJettons(USER, user(JETTON_ID, success()))),
    ).toEqual(['evaa_supply', 'evaa_supply']);
  });
});

describe('a withdrawal', () => {
  const withdraw = (assetId: bigint, ...sends: Sent[]): Sent => ({
    op: 2,
    to: EVAA,
    body: withQuery((builder) => void putAddress(builder.bigUint(assetId, 256).bigUint(70n, 64), OTHER)),
    sends: [headed(0x21, withQuery(), ...sends)],
  });
  const collateralized = (assetId: bigint, ...sends: Sent[]): Sent => ({
    op: 0x211,
    to: EVAA,
    body: withQuery((builder) => putAddress(builder, USER).bigUint(assetId, 256).bigUint(65n, 64)),
    sends,
  });
  const told = headed(0x211a, withQuery(), { to: USER });
  const ton: Sent = {
    op: 0x211a,
    to: OTHER,
    sends: [{ op: 0, to: OTHER, body: comment('EVAA withdraw.') }],
  };

  it.each([
    ['payment first', [ton, told]],
    ['payment last', [told, ton]],
  ])('of TON, %s, has no asset', (_, sends) => {
    expect(actionsOf(withdraw(TON_ID, collateralized(TON_ID, ...sends)))).toMatchObject([
      {
        type: 'evaa_withdraw',
        success: true,
        source: USER,
        destination: OTHER,
        destination_secondary: CONTRACT,
        asset: null,
        amount: 65n,
        evaa_withdraw_data: {
          is_ton: true,
          recipient_jetton_wallet: null,
          master_jetton_wallet: null,
          fail_reason: null,
          master: EVAA,
          asset_id: `0x${TON_ID.toString(16)}`,
        },
      },
    ]);
  });

  it('of jettons names both wallets', () => {
    const paid = jettonTransfer({ from: HELD, to: [OTHER, OTHER_WALLET], amount: 64n });
    expect(actionsOf(withdraw(JETTON_ID, collateralized(JETTON_ID, paid, told)))).toMatchObject([
      {
        type: 'evaa_withdraw',
        asset: JETTON,
        amount: 65n,
        evaa_withdraw_data: {
          is_ton: false,
          recipient_jetton_wallet: OTHER_WALLET,
          master_jetton_wallet: EVAA_WALLET,
        },
      },
    ]);
  });

  it.each([
    [0x21e6, 'withdraw_locked_excess'],
    [0x21e7, 'withdraw_not_collateralized_excess'],
    [0x21e8, 'withdraw_missing_prices_excess'],
    [0x21ec, 'withdraw_execution_crashed'],
  ])('that is refused with %i fails with what was asked for', (op, reason) => {
    expect(actionsOf(withdraw(JETTON_ID, { op, to: USER }))).toMatchObject([
      {
        type: 'evaa_withdraw',
        success: false,
        asset: null,
        amount: 70n,
        evaa_withdraw_data: { fail_reason: reason, recipient_jetton_wallet: null },
      },
    ]);
  });

  it('without funds fails with what was asked for', () => {
    const failed = headed(0x211f, withQuery(), { op: 0x211fe8, to: USER });
    expect(actionsOf(withdraw(JETTON_ID, collateralized(JETTON_ID, failed)))).toMatchObject([
      { success: false, amount: 70n, evaa_withdraw_data: { fail_reason: 'withdraw_no_funds_excess' } },
    ]);
  });

  it('that is not told to the user, or not paid, is none', () => {
    const types = (...sends: Sent[]) => typesOf(withdraw(TON_ID, collateralized(TON_ID, ...sends)));
    expect(types(ton)).not.toContain('evaa_withdraw');
    expect(types(told)).not.toContain('evaa_withdraw');
    expect(types(ton, { ...told, sends: [] })).not.toContain('evaa_withdraw');
  });
});
