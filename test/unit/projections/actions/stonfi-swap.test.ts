/** stonfi v1 swaps (v3-actions-rules.md 5.3): payments that refuse, refer or are several. */
import { describe, expect, it } from 'vitest';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, ROUTER, POOL, IN, OUT, WALLET, ROUTER_IN, ROUTER_OUT, RECEIVED, REFERRER, SENDER] = [
  ...'urpiowxyzfs',
].map(address) as [string, string, string, string, string, string, string, string, string, string, string];
const KNOWN: Known = {
  [WALLET]: jettonWallet(USER, IN),
  [ROUTER_IN]: jettonWallet(ROUTER, IN),
  [ROUTER_OUT]: jettonWallet(ROUTER, OUT),
  [RECEIVED]: jettonWallet(USER, OUT),
};
const [DONE, NO_LIQUIDITY, TOO_DEAR, REFERRAL] = [0xc64370e5, 0x5ffe1295, 0x38976e9b, 0x45078540];

/** The message of the pool to the router, which pays `amount` of the wanted jetton, or gives the other back. */
function payment(exitCode: number, amount: bigint, back = 0n): Sent {
  const [wallet, sum] = back > 0n ? [ROUTER_IN, back] : [ROUTER_OUT, amount];
  const to = back > 0n ? ([USER, WALLET] as const) : ([USER, RECEIVED] as const);
  return {
    op: 0xf93bb43f,
    to: ROUTER,
    body: withQuery((builder) => {
      putAddress(builder, USER).uint(exitCode, 32);
      builder.ref(
        cellOf((sums) => {
          putAddress(sums.coins(back), ROUTER_IN);
          putAddress(sums.coins(amount), ROUTER_OUT);
        }),
      );
    }),
    sends: [jettonTransfer({ from: [ROUTER, wallet], to, amount: sum })],
  };
}

const wish: Body = (builder) =>
  void putAddress(putAddress(builder.uint(0x25938561, 32), ROUTER_OUT).coins(9n), USER);

function swap(payments: readonly Sent[], payload: Body | null = wish): Sent {
  const given = { from: [USER, WALLET], to: [ROUTER, ROUTER_IN], amount: 30n } as const;
  return {
    to: USER,
    sends: [
      jettonTransfer(
        { ...given, payload },
        {
          op: 0x25938561,
          to: POOL,
          body: withQuery((builder) => {
            putAddress(putAddress(builder, USER), ROUTER_IN).coins(29n).coins(9n).bit(false);
            builder.ref(cellOf((more) => putAddress(more, SENDER)));
          }),
          sends: payments,
        },
      ),
    ],
  };
}

const swapsOf = (root: Sent, known: Known = KNOWN) =>
  classified(traceFrom(root), known).filter(({ type }) => type === 'jetton_swap');

describe('a swap', () => {
  const incoming = {
    asset: IN,
    source: SENDER,
    source_jetton_wallet: WALLET,
    destination: ROUTER,
    destination_jetton_wallet: ROUTER_IN,
    amount: 29n,
  };
  const outgoing = { source: ROUTER, source_jetton_wallet: ROUTER_OUT, destination: USER };

  it('pays the larger sum of several, and the last of them says whether it is done', () => {
    for (const [last, success] of [
      [payment(DONE, 5n), true],
      [payment(TOO_DEAR, 5n), false],
    ] as const)
      expect(swapsOf(swap([payment(DONE, 12n), last]))).toMatchObject([
        {
          success,
          source: SENDER,
          asset: IN,
          asset2: OUT,
          destination_secondary: ROUTER_OUT,
          jetton_swap_data: {
            dex: 'stonfi',
            sender: SENDER,
            dex_incoming_transfer: incoming,
            dex_outgoing_transfer: { ...outgoing, asset: OUT, amount: 12n },
            min_out_amount: 9n,
            peer_swaps: [],
          },
        },
      ]);
  });

  it.each([NO_LIQUIDITY, TOO_DEAR])('that is refused by %i has failed, and wanted what it wanted', (code) => {
    expect(swapsOf(swap([payment(code, 0n, 30n)]))).toMatchObject([
      {
        success: false,
        asset: IN,
        asset2: OUT,
        jetton_swap_data: {
          dex_outgoing_transfer: { ...outgoing, source_jetton_wallet: ROUTER_IN, asset: IN, amount: 30n },
        },
      },
    ]);
  });

  it('without its wish shows what was paid', () => {
    expect(swapsOf(swap([payment(NO_LIQUIDITY, 0n, 30n)], null))).toMatchObject([
      { success: false, asset: IN, asset2: IN },
    ]);
  });

  it('answers proxy-TON as TON, and keeps its master in the columns', () => {
    const proxy = '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C';
    const known = {
      ...KNOWN,
      [ROUTER_OUT]: jettonWallet(ROUTER, proxy),
      [RECEIVED]: jettonWallet(USER, proxy),
    };
    expect(swapsOf(swap([payment(DONE, 12n)]), known)).toMatchObject([
      {
        asset2: proxy,
        jetton_swap_data: { dex_outgoing_transfer: { asset: proxy } },
        details: { asset_in: IN, asset_out: null, dex_outgoing_transfer: { asset: null, amount: 12n } },
      },
    ]);
  });

  it('leaves what the referrer is paid beside it', () => {
    const referral: Sent = {
      ...payment(REFERRAL, 1n),
      sends: [jettonTransfer({ from: [ROUTER, ROUTER_OUT], to: [REFERRER, RECEIVED], amount: 1n })],
    };
    const actions = classified(traceFrom(swap([referral, payment(DONE, 12n)])), KNOWN);
    expect(actions.map(({ type }) => type).toSorted()).toEqual([
      'call_contract',
      'jetton_swap',
      'jetton_transfer',
    ]);
    const [one] = actions.filter(({ type }) => type === 'jetton_swap');
    expect(one).toMatchObject({
      success: true,
      jetton_swap_data: { dex_outgoing_transfer: { amount: 12n } },
    });
  });

  it.each([
    ['that pays the referrer alone', [payment(REFERRAL, 1n)], KNOWN],
    ['that pays nobody', [], KNOWN],
    ['whose router is not known', [payment(DONE, 12n)], { ...KNOWN, [ROUTER_IN]: {} }],
  ] as const)('%s is none', (_what, payments, known) => {
    expect(swapsOf(swap(payments), known)).toEqual([]);
  });
});
