/** tonco (v3-actions-rules.md 5.4): routes through several pools, failed ones, deposits of one and of both assets, withdrawals. */
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
import { type Holder, jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, ROUTER, POOL, POOL2, ACCOUNT, ITEM, COLLECTION] = [...'urpqain'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const [A, B, C] = [address(1), address(2), address(3)];
/** Wallets of the jettons: the user's, and the router's. */
const [USER_A, USER_B, USER_C] = [address(11), address(12), address(13)];
const [ROUTER_A, ROUTER_B, ROUTER_C, ROUTER_TON] = [address(21), address(22), address(23), address(24)];
const PTON = '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3';
const KNOWN: Known = {
  [USER_A]: jettonWallet(USER, A),
  [USER_B]: jettonWallet(USER, B),
  [USER_C]: jettonWallet(USER, C),
  [ROUTER_A]: jettonWallet(ROUTER, A),
  [ROUTER_B]: jettonWallet(ROUTER, B),
  [ROUTER_C]: jettonWallet(ROUTER, C),
  [ROUTER_TON]: jettonWallet(ROUTER, PTON),
  [ITEM]: { nftItem: { index: 5n, collection: COLLECTION, owner: USER, contentUri: null, codeHash: null } },
};

const actionsOf = (sent: Sent, known = KNOWN) => classified(traceFrom({ to: USER, sends: [sent] }), known);
const swapsOf = (sent: Sent) => actionsOf(sent).filter(({ type }) => type === 'jetton_swap');

/** Sums of two router wallets that the pool has the router pay. */
const pay = (exitCode: number, sums: readonly [bigint, string, bigint, string], ...sends: Sent[]): Sent => ({
  op: 0xa1daa96d,
  to: ROUTER,
  body: withQuery((builder) => {
    putAddress(putAddress(builder, USER), USER).uint(exitCode, 32).bigUint(1n, 64).bit(true);
    const [amount0, wallet0, amount1, wallet1] = sums;
    builder.ref(
      cellOf((one) => void putAddress(putAddress(one.coins(amount0), wallet0).coins(amount1), wallet1)),
    );
  }),
  sends,
});
const swap = (pool: string, source: string, ...sends: Sent[]): Sent => ({
  op: 0xa7fb58f8,
  to: pool,
  body: withQuery((builder) => void putAddress(putAddress(builder, USER), source)),
  sends,
});
/** Payload of a swap: each step names the wallet that it wants. */
const wish =
  (...steps: readonly [wallet: string, least: bigint][]): Body =>
  (builder) => {
    const [[wallet, least], ...more] = steps as [[string, bigint], ...[string, bigint][]];
    putAddress(putAddress(builder.uint(0xa7fb58f8, 32), wallet).bigUint(0n, 160).coins(least), USER).bit(
      more.length > 0,
    );
    if (more.length > 0) builder.ref(cellOf(wish(...more)));
  };

const given = (...sends: Sent[]) =>
  jettonTransfer(
    { from: [USER, USER_A], to: [ROUTER, ROUTER_A], amount: 100n, payload: wish([ROUTER_B, 9n]) },
    ...sends,
  );
/** TON that comes through the router's wallet of proxy-TON. */
const tonGiven = (payload: Body, ...sends: Sent[]): Sent => ({
  op: 0x01f3835d,
  to: ROUTER_TON,
  body: withQuery((builder) => putAddress(builder.coins(50n), USER).bit(true).ref(cellOf(payload))),
  sends: [
    {
      op: 0x7362d09c,
      to: ROUTER,
      body: withQuery((builder) => putAddress(builder.coins(50n), USER).bit(true).ref(cellOf(payload))),
      sends,
    },
  ],
});
const paid = (from: string, to: Holder, amount: bigint, ...sends: Sent[]) =>
  jettonTransfer({ from: [ROUTER, from], to, amount }, ...sends);

describe('a swap', () => {
  it('through one pool has no steps and the least that it gave', () => {
    const one = given(
      swap(POOL, ROUTER_A, pay(0, [0n, ROUTER_A, 10n, ROUTER_B], paid(ROUTER_B, [USER, USER_B], 10n))),
    );
    expect(swapsOf(one)).toMatchObject([
      {
        success: true,
        source: USER,
        source_secondary: USER_A,
        destination: USER,
        destination_secondary: USER_B,
        asset: A,
        asset2: B,
        jetton_swap_data: {
          dex: 'tonco',
          sender: USER,
          dex_incoming_transfer: {
            asset: A,
            amount: 100n,
            destination: ROUTER,
            destination_jetton_wallet: ROUTER_A,
          },
          dex_outgoing_transfer: { asset: B, amount: 10n, source: ROUTER, source_jetton_wallet: ROUTER_B },
          min_out_amount: 10n,
          peer_swaps: [],
        },
        details: { min_out_amount: 10n },
      },
    ]);
  });

  it('through two pools states what each gave', () => {
    const second = swap(
      POOL2,
      ROUTER_B,
      pay(200, [20n, ROUTER_C, 0n, ROUTER_B], paid(ROUTER_C, [USER, USER_C], 20n)),
    );
    const first = pay(200, [0n, ROUTER_A, 10n, ROUTER_B], paid(ROUTER_B, [ROUTER, ROUTER_B], 10n, second));
    expect(swapsOf(given(swap(POOL, ROUTER_A, first)))).toMatchObject([
      {
        success: true,
        asset: A,
        asset2: C,
        jetton_swap_data: {
          peer_swaps: [
            { asset_in: A, amount_in: 100n, asset_out: B, amount_out: 10n },
            { asset_in: B, amount_in: 10n, asset_out: C, amount_out: 20n },
          ],
          min_out_amount: 20n,
        },
      },
    ]);
  });

  it('of which a later pool states no sums leaves its step out', () => {
    const unstated: Sent = {
      op: 0xa1daa96d,
      to: ROUTER,
      body: withQuery((builder) =>
        putAddress(putAddress(builder, USER), USER).uint(200, 32).bigUint(1n, 64).bit(false),
      ),
      sends: [paid(ROUTER_C, [USER, USER_C], 20n)],
    };
    const second = swap(POOL2, ROUTER_B, unstated);
    const first = pay(200, [0n, ROUTER_A, 10n, ROUTER_B], paid(ROUTER_B, [ROUTER, ROUTER_B], 10n, second));
    expect(swapsOf(given(swap(POOL, ROUTER_A, first)))).toMatchObject([
      { success: true, asset: A, asset2: C, jetton_swap_data: { peer_swaps: [] } },
    ]);
  });

  it('through TON in the middle goes on at the wallet of proxy-TON', () => {
    const second = swap(
      POOL2,
      ROUTER_TON,
      pay(0, [20n, ROUTER_C, 0n, ROUTER_TON], paid(ROUTER_C, [USER, USER_C], 20n)),
    );
    const handed: Sent = {
      op: 0x0f8a7ea5,
      to: ROUTER_TON,
      body: withQuery((builder) =>
        putAddress(putAddress(builder.coins(10n), ROUTER), ROUTER)
          .bit(false)
          .coins(1n)
          .bit(false),
      ),
      sends: [
        {
          op: 0x01f3835d,
          to: ROUTER_TON,
          body: withQuery((builder) => putAddress(builder.coins(10n), ROUTER).bit(false)),
          sends: [{ op: 0x7362d09c, to: ROUTER, body: withQuery(), sends: [second] }],
        },
      ],
    };
    const first = pay(0, [10n, ROUTER_TON, 0n, ROUTER_A], handed);
    expect(swapsOf(given(swap(POOL, ROUTER_A, first)))).toMatchObject([
      {
        asset2: C,
        jetton_swap_data: {
          peer_swaps: [
            { asset_in: A, asset_out: null, amount_out: 10n },
            { asset_in: null, amount_in: 10n, asset_out: C, amount_out: 20n },
          ],
        },
      },
    ]);
  });

  it('of jettons that failed shows what was given back', () => {
    const failed = given(
      swap(
        POOL,
        ROUTER_A,
        pay(201_001, [100n, ROUTER_A, 0n, ROUTER_B], paid(ROUTER_A, [USER, USER_A], 100n)),
      ),
    );
    expect(swapsOf(failed)).toMatchObject([
      { success: false, asset: A, asset2: A, jetton_swap_data: { min_out_amount: 100n } },
    ]);
  });

  it('of TON that failed shows what was wanted at the end of the chain', () => {
    const back: Sent = {
      op: 0x0f8a7ea5,
      to: ROUTER_TON,
      body: withQuery((builder) =>
        putAddress(putAddress(builder.coins(50n), USER), USER)
          .bit(false)
          .coins(1n)
          .bit(false),
      ),
      sends: [
        {
          op: 0x01f3835d,
          to: USER,
          body: withQuery((builder) => putAddress(builder.coins(49n), USER).bit(false)),
        },
      ],
    };
    const failed = tonGiven(
      wish([ROUTER_B, 9n], [ROUTER_C, 8n]),
      swap(POOL, ROUTER_TON, pay(77, [50n, ROUTER_TON, 0n, ROUTER_B], back)),
    );
    expect(swapsOf(failed)).toMatchObject([
      {
        success: false,
        source: USER,
        source_secondary: null,
        asset: null,
        asset2: C,
        jetton_swap_data: {
          min_out_amount: 8n,
          dex_incoming_transfer: {
            asset: null,
            amount: 50n,
            destination: ROUTER,
            destination_jetton_wallet: ROUTER_TON,
          },
          dex_outgoing_transfer: { asset: null, amount: 49n, destination: USER },
        },
      },
    ]);
  });

  it('that is paid twice in TON shows the last payment with its own amount', () => {
    const ton = (to: string, amount: bigint): Sent => ({
      op: 0x0f8a7ea5,
      to: ROUTER_TON,
      body: withQuery((builder) =>
        putAddress(putAddress(builder.coins(amount), to), to)
          .bit(false)
          .coins(1n)
          .bit(false),
      ),
      sends: [
        {
          op: 0x01f3835d,
          to,
          body: withQuery((builder) => putAddress(builder.coins(amount - 1n), to).bit(false)),
        },
      ],
    });
    const paidTwice = pay(0, [50n, ROUTER_TON, 0n, ROUTER_A], ton(USER, 43n), ton(ACCOUNT, 7n));
    expect(swapsOf(given(swap(POOL, ROUTER_A, paidTwice)))).toMatchObject([
      { jetton_swap_data: { dex_outgoing_transfer: { asset: null, amount: 6n, destination: ACCOUNT } } },
    ]);
  });

  it('that is not paid is none', () => {
    expect(swapsOf(given(swap(POOL, ROUTER_A, pay(0, [0n, ROUTER_A, 10n, ROUTER_B]))))).toEqual([]);
    expect(swapsOf(given(swap(POOL, ROUTER_A)))).toEqual([]);
  });
});

describe('a deposit', () => {
  const payload =
    (other: string): Body =>
    (builder) =>
      void putAddress(builder.uint(0x4468de77, 32), other).coins(1n).coins(2n);
  const fund = (added: readonly [bigint, bigint], ...sends: Sent[]): Sent => ({
    op: 0x4468de77,
    to: POOL,
    body: withQuery((builder) => void putAddress(builder, USER)),
    sends: [
      {
        op: 0x3ebe5431,
        to: ACCOUNT,
        body: withQuery((builder) => {
          for (const sum of [...added, 40n, 60n]) builder.coins(sum);
          builder.bigUint(9n, 128).int(-60, 24).int(120, 24);
        }),
        sends,
      },
    ],
  });
  const jettons = (sent: Sent) =>
    jettonTransfer(
      { from: [USER, USER_A], to: [ROUTER, ROUTER_A], amount: 40n, payload: payload(ROUTER_B) },
      sent,
    );
  const minted: Sent = {
    op: 0xd5ecca2a,
    to: ITEM,
    deploys: true,
    body: withQuery((builder) => {
      putAddress(builder, USER).bigUint(77n, 128).int(-60, 24).int(120, 24);
      builder.ref(cellOf((more) => void more.bigUint(0n, 256).bigUint(0n, 256).bigUint(3n, 64)));
    }),
    sends: [],
  };
  const mint = (...sends: Sent[]): Sent => ({ op: 0x81702ef8, to: POOL, sends });
  const deposits = (sent: Sent) => actionsOf(sent).filter(({ type }) => type === 'dex_deposit_liquidity');
  const ticks = { tick_lower: -60, tick_upper: 120 };

  it('of the first asset alone waits for the other', () => {
    expect(deposits(jettons(fund([40n, 0n])))).toMatchObject([
      {
        success: true,
        source: USER,
        source_secondary: USER_A,
        destination: POOL,
        destination_secondary: ACCOUNT,
        dex_deposit_liquidity_data: {
          dex: 'tonco',
          ...{ asset1: A, amount1: 40n, asset2: null, amount2: null },
          ...{ user_jetton_wallet_1: USER_A, user_jetton_wallet_2: null },
          ...{ target_asset_1: A, target_asset_2: B, target_amount_1: 40n, target_amount_2: 60n },
          ...{ lp_tokens_minted: null, nft_index: null, nft_address: null, ...ticks },
        },
        details: { asset_1: A, amount_1: 40n, destination_liquidity: POOL, ...ticks },
      },
    ]);
  });

  it('of the second asset alone stands in front with its wallet behind', () => {
    expect(deposits(jettons(fund([0n, 40n])))).toMatchObject([
      {
        source_secondary: USER_A,
        dex_deposit_liquidity_data: {
          ...{ asset1: A, amount1: 40n, asset2: null },
          ...{ user_jetton_wallet_1: null, user_jetton_wallet_2: USER_A },
          ...{ target_asset_1: B, target_asset_2: A },
        },
      },
    ]);
  });

  it('of TON has no wallet, and an unknown other asset none', () => {
    expect(deposits(tonGiven(payload(address(99)), fund([50n, 0n])))).toMatchObject([
      {
        source_secondary: null,
        dex_deposit_liquidity_data: {
          asset1: null,
          amount1: 50n,
          target_asset_1: null,
          target_asset_2: null,
        },
      },
    ]);
  });

  it.each([
    ['alone', [minted]],
    [
      'with what was too much',
      [
        pay(
          201,
          [1n, ROUTER_A, 2n, ROUTER_B],
          paid(ROUTER_A, [USER, USER_A], 1n),
          paid(ROUTER_B, [USER, USER_B], 2n),
        ),
        minted,
      ],
    ],
    [
      'before what was too much, and an excess',
      [
        minted,
        pay(201, [1n, ROUTER_A, 0n, ROUTER_B], paid(ROUTER_A, [USER, USER_A], 1n)),
        { op: 0xd53276db, to: USER },
      ],
    ],
  ])('of both assets names the minted position, %s', (_, sends) => {
    const actions = actionsOf(jettons(fund([40n, 0n], mint(...sends)))).filter(
      ({ type }) => type !== 'contract_deploy',
    );
    expect(actions).toMatchObject([
      {
        type: 'dex_deposit_liquidity',
        dex_deposit_liquidity_data: { lp_tokens_minted: 77n, nft_index: 3n, nft_address: ITEM },
      },
    ]);
  });
});

describe('a withdrawal', () => {
  const burn = (exitCode: number, ...sends: Sent[]): Sent => ({
    op: 0x530b5f2c,
    to: POOL,
    body: withQuery((builder) => builder.bigUint(4n, 64).bigUint(77n, 128).int(-10, 24).int(20, 24)),
    sends: [
      {
        op: 0x46ca335a,
        to: ITEM,
        body: withQuery((builder) => void putAddress(builder, USER)),
        sends: [
          {
            op: 0xd73ac09d,
            to: POOL,
            body: withQuery((builder) => putAddress(builder, USER).bigUint(0n, 64)),
            sends: [pay(exitCode, [8n, ROUTER_A, 9n, ROUTER_B], ...sends)],
          },
        ],
      },
    ],
  });
  const [first, second] = [paid(ROUTER_A, [USER, USER_A], 8n), paid(ROUTER_B, [USER, USER_B], 9n)];

  it.each([
    ['in order', [first, second]],
    ['the other way round', [second, first]],
  ])('is paid in the order of the pool: payments %s', (_, sends) => {
    expect(actionsOf(burn(201, ...sends))).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        dex_withdraw_liquidity_data: {
          ...{ amount1: 8n, asset1_out: A, user_jetton_wallet_1: USER_A, dex_jetton_wallet_1: ROUTER_A },
          ...{ amount2: 9n, asset2_out: B, user_jetton_wallet_2: USER_B, dex_wallet_2: ROUTER },
          // The position did not repeat the index.
          ...{ burned_nft_index: 4n, burned_nft_address: ITEM, lp_tokens_burnt: 77n },
        },
      },
    ]);
  });

  it('of which one side is not seen states what the pool owed there', () => {
    expect(actionsOf(burn(0, second))).toMatchObject([
      {
        success: true,
        dex_withdraw_liquidity_data: {
          amount1: 8n,
          asset1_out: A,
          amount2: 9n,
          user_jetton_wallet_2: USER_B,
        },
      },
    ]);
  });
});
