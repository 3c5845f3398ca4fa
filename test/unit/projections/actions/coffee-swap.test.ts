/** coffee's swaps and deposits (v3-actions-rules.md 5.5): routes, forms of payment, legs of a deposit. */
import { describe, expect, it } from 'vitest';
import type { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { type Holder, jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, OTHER, VAULT, VAULT_B, POOL, POOL2, CONTRACT] = [...'uovwpqc'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const [A, B] = [address(1), address(2)];
const [USER_A, USER_B, VAULT_A, VAULT_B_WALLET] = [address(11), address(12), address(21), address(22)];
const KNOWN: Known = {
  [USER_A]: jettonWallet(USER, A),
  [USER_B]: jettonWallet(USER, B),
  [VAULT_A]: jettonWallet(VAULT, A),
  [VAULT_B_WALLET]: jettonWallet(VAULT_B, B),
};
const actionsOf = (sent: Sent) => classified(traceFrom({ to: USER, sends: [sent] }), KNOWN);
const ofType = (type: string, sent: Sent) => actionsOf(sent).filter((action) => action.type === type);

const asset = (builder: CellBuilder, jetton: string | null): CellBuilder =>
  jetton === null
    ? builder.uint(0, 2)
    : builder
        .uint(1, 2)
        .int(0, 8)
        .bytes(Uint8Array.fromHex(jetton.slice(2)));
const excess: Sent = { op: 0xd53276db, to: USER };

describe('a swap', () => {
  const jettons = (...sends: Sent[]) =>
    jettonTransfer({ from: [USER, USER_A], to: [VAULT, VAULT_A], amount: 30n }, ...sends);
  const ton = (...sends: Sent[]): Sent => ({
    op: 0xc0ffee00,
    to: VAULT,
    body: withQuery((builder) => builder.coins(50n)),
    sends,
  });
  const log = (given: string | null, amountIn: bigint, amountOut: bigint): Sent => ({
    op: 0xc0ffee30,
    to: null,
    body: withQuery((builder) => asset(builder, given).coins(amountIn).coins(amountOut)),
  });
  const pool = (to: string, ...sends: Sent[]): Sent => ({ op: 0xc0ffee20, to, sends });
  const pay = (amount: bigint, ...sends: Sent[]): Sent => ({
    op: 0xc0ffee21,
    to: VAULT_B,
    body: withQuery((builder) => putAddress(builder, OTHER).coins(amount).bit(false).bit(false)),
    sends,
  });
  const paidB = (to: Holder = [USER, USER_B]) =>
    jettonTransfer({ from: [VAULT_B, VAULT_B_WALLET], to, amount: 20n });

  it.each([
    ['jettons', jettons, A, 30n, USER_A],
    ['TON', ton, null, 50n, null],
  ])('of %s through one pool has no steps', (_, given, assetIn, amount, wallet) => {
    const sent = given(pool(POOL, log(assetIn, amount, 20n), pay(20n, paidB(), excess)));
    expect(ofType('jetton_swap', sent)).toMatchObject([
      {
        success: true,
        source: USER,
        source_secondary: wallet,
        destination: USER,
        destination_secondary: USER_B,
        asset: assetIn,
        asset2: B,
        jetton_swap_data: {
          dex: 'coffee',
          dex_incoming_transfer: { asset: assetIn, amount, destination: VAULT },
          dex_outgoing_transfer: { asset: B, amount: 20n, source: VAULT_B },
          peer_swaps: [],
        },
      },
    ]);
  });

  it.each([
    ['log first', [log(B, 9n, 20n), pay(20n, paidB())]],
    ['log last', [pay(20n, paidB()), log(B, 9n, 20n)]],
  ])('through two pools states each, the second with its %s', (_, sends) => {
    const sent = jettons(pool(POOL, log(A, 30n, 9n), pool(POOL2, ...sends)));
    expect(ofType('jetton_swap', sent)).toMatchObject([
      {
        success: true,
        jetton_swap_data: {
          peer_swaps: [
            { asset_in: A, amount_in: 30n, asset_out: B, amount_out: 9n },
            { asset_in: B, amount_in: 9n, asset_out: B, amount_out: 20n },
          ],
        },
      },
    ]);
  });

  it('whose second pool gave no log has failed; without the first it is none', () => {
    expect(
      ofType('jetton_swap', jettons(pool(POOL, log(A, 30n, 9n), pool(POOL2, pay(20n, paidB()))))),
    ).toMatchObject([{ success: false, jetton_swap_data: { peer_swaps: [] } }]);
    expect(ofType('jetton_swap', jettons(pool(POOL, pay(20n, paidB()))))).toEqual([]);
  });

  it('pays TON as the vault was told, or by a notification with its value', () => {
    const paidBy = (op: number) =>
      ofType('jetton_swap', jettons(pool(POOL, log(A, 30n, 20n), pay(20n, { op, to: USER, value: 19n }))));
    expect(paidBy(0xc0ffee32)).toMatchObject([
      { asset2: null, jetton_swap_data: { dex_outgoing_transfer: { amount: 20n, destination: OTHER } } },
    ]);
    expect(paidBy(0xc0ffee36)).toMatchObject([
      { asset2: null, jetton_swap_data: { dex_outgoing_transfer: { amount: 19n, destination: USER } } },
    ]);
  });

  it('twice in a trace is two', () => {
    const one = jettons(pool(POOL, log(A, 30n, 20n), pay(20n, paidB())));
    const trace = traceFrom({
      to: USER,
      sends: [one, ton(pool(POOL, log(null, 50n, 20n), pay(20n, paidB())))],
    });
    expect(classified(trace, KNOWN).map(({ type }) => type)).toEqual(['jetton_swap', 'jetton_swap']);
  });
});

describe('a deposit', () => {
  const create = (first: string | null, second: string | null, amount: bigint, ...sends: Sent[]): Sent => ({
    op: 0xc0ffee27,
    to: POOL,
    body: withQuery((builder) => {
      builder.coins(amount).ref(cellOf((one) => putAddress(one, USER).bit(false)));
      builder.ref(cellOf((one) => asset(asset(one, first), second).uint(0, 3).bit(false)));
      putAddress(builder, USER);
    }),
    sends: [{ op: 0xc0ffee22, to: CONTRACT, sends }],
  });
  const jettons = (...sends: Sent[]) =>
    jettonTransfer({ from: [USER, USER_A], to: [VAULT, VAULT_A], amount: 30n }, ...sends);
  const minted: Sent = {
    op: 0x178d4519,
    to: address(77),
    body: withQuery((builder) => void putAddress(putAddress(builder.coins(5n), USER), USER).coins(0n)),
  };
  const log: Sent = {
    op: 0xc0ffee33,
    to: null,
    body: withQuery((builder) => builder.coins(1n).coins(2n).coins(6n)),
  };
  const back: Sent = {
    op: 0xc0ffee21,
    to: VAULT,
    body: withQuery((builder) => putAddress(builder, USER).coins(3n)),
    sends: [{ op: 0xc0ffee32, to: USER, value: 4n }],
  };
  const whole = (...sends: Sent[]): Sent => ({ op: 0xc0ffee29, to: POOL, sends });
  const deposits = (sent: Sent) => ofType('dex_deposit_liquidity', sent);

  it('of the first asset alone has no pool yet', () => {
    expect(deposits(jettons(create(A, B, 29n)))).toMatchObject([
      {
        success: true,
        destination: null,
        destination_secondary: CONTRACT,
        dex_deposit_liquidity_data: {
          ...{ asset1: A, amount1: 29n, user_jetton_wallet_1: USER_A, asset2: null, amount2: null },
          ...{ target_asset_1: A, target_asset_2: B, target_amount_1: null, lp_tokens_minted: null },
        },
      },
    ]);
  });

  it('of the second asset stands behind, and its targets in front', () => {
    expect(deposits(jettons(create(B, A, 29n)))).toMatchObject([
      {
        dex_deposit_liquidity_data: {
          ...{ asset1: null, amount1: null, asset2: A, amount2: 29n, user_jetton_wallet_2: USER_A },
          ...{ target_asset_1: A, target_asset_2: B },
        },
      },
    ]);
  });

  it.each([
    ['its log', [minted, log, back], 6n],
    ['the tokens alone', [minted, back], 5n],
  ])('of both tells pool and tokens by %s, and what was too much', (_, sends, lpTokens) => {
    expect(deposits(jettons(create(A, B, 29n, whole(...sends))))).toMatchObject([
      {
        destination: POOL,
        dex_deposit_liquidity_data: {
          lp_tokens_minted: lpTokens,
          vault_excesses: [{ asset: null, amount: 4n }],
        },
      },
    ]);
  });

  it('of an asset that the pool has not is none', () => {
    expect(deposits(jettons(create(null, B, 29n)))).toEqual([]);
  });
});
