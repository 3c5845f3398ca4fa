import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../../src/projections/actions/classify.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../../../src/projections/actions/out/recorded-columns.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const named = (name: string): string => address(name);
const [USER, POOL, ROUTER] = [named('u'), named('p'), named('r')];

type Body = (builder: CellBuilder) => void;
type Facts = Readonly<Record<string, AccountFacts>>;

/** Columns and details of the top-level actions. */
function actionsOf(root: Sent, known: Facts = {}, release: '1.2' | '1.3' = '1.2') {
  const facts = new LoadedFacts();
  for (const [account, one] of Object.entries(known)) facts.add(account, one);
  const { actions, problems } = classifyTrace(traceFrom(root), facts, { release });
  expect(problems).toEqual([]);
  return actions
    .filter(({ parentActionId }) => parentActionId === null)
    .map((action) => ({ ...recordedColumns(action), details: action.details }));
}

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const cell = (write: Body) => {
  const builder = new CellBuilder();
  write(builder);
  return builder.cell();
};
const withQuery =
  (write: Body): Body =>
  (builder) =>
    write(builder.bigUint(7n, 64));

/** A jetton transfer between two wallets, and what the receiver sends on. */
function transfer(from: string, to: string, amount: bigint, ...sends: Sent[]): Sent {
  const notification: Sent = { op: 0x7362d09c, to: ROUTER, sends };
  return {
    op: 0x0f8a7ea5,
    to: from,
    body: withQuery((builder) => {
      putAddress(putAddress(builder.coins(amount), ROUTER), USER)
        .bit(false)
        .coins(1n)
        .bit(false);
    }),
    sends: [{ op: 0x178d4519, to, body: internal(amount), sends: sends.length > 0 ? [notification] : [] }],
  };
}
const internal = (amount: bigint): Body =>
  withQuery((builder) => {
    putAddress(putAddress(builder.coins(amount), USER), USER)
      .coins(0n)
      .bit(false);
  });

/** A burn of the user's pool tokens, and what the master sends on. */
const burn = (...sends: Sent[]): Sent => ({
  op: 0x595f07bc,
  to: named('l'),
  body: withQuery((builder) => void putAddress(builder.coins(33n), USER)),
  sends,
});

const owned = (owner: string, jetton: string): AccountFacts => ({ jettonWallet: { owner, jetton } });
/** Wallets: the user's w of the jetton m, the router's v of it, the user's l of the pool's tokens. */
const WALLETS: Facts = {
  [named('w')]: owned(USER, named('m')),
  [named('v')]: owned(ROUTER, named('m')),
  [named('l')]: owned(USER, POOL),
};

describe('dedust', () => {
  const paid: Body = withQuery((builder) => builder.ref(new CellBuilder().cell()).coins(21n));

  it('a withdrawal is paid through two vaults', () => {
    const root = burn({
      op: 0x7bdd97de,
      to: POOL,
      sends: [
        { op: 0xad4eb6f5, to: named('n'), body: paid, sends: [{ op: 0x474f86cf, to: USER, value: 20n }] },
        { op: 0xad4eb6f5, to: ROUTER, body: paid, sends: [transfer(named('v'), named('w'), 19n)] },
      ],
    });
    expect(actionsOf(wallet(root), WALLETS)).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        source: USER,
        source_secondary: named('l'),
        destination: POOL,
        asset: POOL,
        dex_withdraw_liquidity_data: {
          dex: 'dedust',
          lp_tokens_burnt: 33n,
          amount1: 21n,
          asset1_out: null,
          dex_wallet_1: named('n'),
          amount2: 21n,
          asset2_out: named('m'),
          user_jetton_wallet_2: named('w'),
          dex_jetton_wallet_2: named('v'),
          dex_wallet_2: ROUTER,
          is_refund: false,
        },
        // Fields of positions are there for every exchange.
        details: { burnt_nft_index: null, burnt_nft_address: null, tick_lower: null, tick_upper: null },
      },
    ]);
    const { [named('l')]: _, ...rest } = WALLETS;
    expect(actionsOf(wallet(root), rest)).not.toContainEqual(
      expect.objectContaining({ type: 'dex_withdraw_liquidity' }),
    );
  });
});

describe('stonfi v2', () => {
  /** The pool's answer to one asset: minted tokens, or nothing yet. */
  const provided = (amounts: readonly [bigint, bigint], ...answer: Sent[]): Sent => ({
    op: 0x37c096df,
    to: POOL,
    body: withQuery((builder) => putAddress(builder, USER).coins(amounts[0]).coins(amounts[1])),
    sends: [{ op: 0x50c6a654, to: named('n'), sends: answer }],
  });
  const arrival = (amount: bigint, ...sends: Sent[]): Sent => ({
    op: 0x01f3835d,
    to: named('t'),
    body: withQuery((builder) => putAddress(builder.coins(amount), USER).bit(false)),
    sends: [{ op: 0x7362d09c, to: ROUTER, sends }],
  });
  const minted: Sent = {
    op: 0x06ecd527,
    to: POOL,
    sends: [{ op: 0x178d4519, to: named('l'), body: internal(99n) }],
  };

  it('two halves of one user are one deposit; their sender stays', () => {
    const halves = (last: Sent): Sent =>
      wallet(arrival(5n, provided([5n, 0n])), transfer(named('w'), named('v'), 6n, provided([0n, 6n], last)));
    const deposits = actionsOf(halves(minted), WALLETS);
    expect(deposits).toMatchObject([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: USER,
        destination: POOL,
        dex_deposit_liquidity_data: { dex: 'stonfi_v2', lp_tokens_minted: 99n },
      },
    ]);
    const { details } = deposits[0]!;
    const sides = [
      { asset: details!.asset_1, amount: details!.amount_1, from: details!.user_jetton_wallet_1 },
      { asset: details!.asset_2, amount: details!.amount_2, from: details!.user_jetton_wallet_2 },
    ];
    expect(sides).toEqual(
      expect.arrayContaining([
        { asset: null, amount: 5n, from: null },
        { asset: named('m'), amount: 6n, from: named('w') },
      ]),
    );
    const refund: Sent = { op: 0x06ecd527, to: POOL, sends: [{ op: 0x50c6a654, to: named('n') }] };
    expect(actionsOf(halves(refund), WALLETS)).toMatchObject([
      { type: 'dex_deposit_liquidity', success: true },
      { type: 'dex_deposit_liquidity', success: false },
    ]);
  });

  it('a withdrawal takes both payments in, and a refund names who asked', () => {
    const pay: Sent = { op: 0x657b54f5, to: ROUTER, sends: [transfer(named('v'), named('w'), 8n)] };
    expect(actionsOf(wallet(burn({ op: 0x297437cf, to: POOL, sends: [pay, pay] })), WALLETS)).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        source: USER,
        source_secondary: named('l'),
        destination: POOL,
        dex_withdraw_liquidity_data: { lp_tokens_burnt: 33n, amount1: 8n, amount2: 8n, is_refund: false },
      },
    ]);
    const refund = wallet({
      op: 0x132b9a2c,
      to: named('n'),
      sends: [{ op: 0x0f98e2b8, to: POOL, sends: [pay] }],
    });
    expect(actionsOf(refund, WALLETS)).toMatchObject([
      {
        source: USER,
        asset: null,
        dex_withdraw_liquidity_data: { amount1: 8n, amount2: null, is_refund: true },
        details: { is_refund: null },
      },
    ]);
  });
});

describe('coffee', () => {
  it('a withdrawal states what the log says, and TON by its receiver', () => {
    const order: Body = withQuery((builder) => putAddress(builder, USER).coins(1n).bit(false).bit(false));
    const root = burn({
      op: 0x7bdd97de,
      to: POOL,
      sends: [
        { op: 0xc0ffee21, to: named('n'), body: order, sends: [{ op: 0xc0ffee32, to: USER }] },
        { op: 0xc0ffee21, to: ROUTER, body: order, sends: [transfer(named('v'), named('w'), 19n)] },
        { op: 0xc0ffee35, to: null, body: withQuery((builder) => builder.coins(1n).coins(2n).coins(3n)) },
      ],
    });
    expect(actionsOf(wallet(root), WALLETS)).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        source: USER,
        destination: POOL,
        dex_withdraw_liquidity_data: {
          dex: 'coffee',
          lp_tokens_burnt: 3n,
          amount1: 1n,
          user_jetton_wallet_1: USER,
          amount2: 2n,
          asset2_out: named('m'),
        },
      },
    ]);
  });
});

describe('tonco', () => {
  const creation: Body = withQuery((builder) => {
    putAddress(putAddress(builder, named('a')), named('b'))
      .int(60, 24)
      .bigUint(5n, 160)
      .uint(1, 16)
      .uint(2, 16)
      .uint(3, 16);
    const empty = new CellBuilder().cell();
    const names = cell((one) => putAddress(putAddress(putAddress(one, named('c')), named('d')), null));
    builder.ref(empty).ref(empty).ref(names);
  });
  const init: Body = withQuery((builder) => {
    putAddress(builder.uint(0, 2), null);
    putAddress(builder.uint(0, 1), null).bit(true).int(60, 24).bit(true).bigUint(5n, 160).bit(true).bit(true);
  });

  it('a pool is made with what the router was told', () => {
    const root = wallet({
      op: 0x2e3034ef,
      to: ROUTER,
      body: creation,
      sends: [{ op: 0x441c39ed, to: POOL, body: init, sends: [{ op: 0xd53276db, to: USER }] }],
    });
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'tonco_deploy_pool',
        source: USER,
        destination: ROUTER,
        destination_secondary: POOL,
        tonco_deploy_pool_data: { jetton0_router_wallet: named('a'), jetton1_minter: named('d') },
        details: {
          pool: POOL,
          router: ROUTER,
          router_jetton_wallet_2: named('b'),
          jetton_minter_1: named('c'),
          tick_spacing: 60n,
          initial_price_x96: 5n,
          protocol_fee: 1n,
          lp_fee_base: 2n,
          lp_fee_current: 3n,
          pool_active: true,
        },
      },
    ]);
    expect(actionsOf(wallet({ op: 0x2e3034ef, to: ROUTER, body: creation }))).toMatchObject([
      { type: 'call_contract' },
    ]);
  });

  it('a withdrawal whose payments are not seen answers what the pool owed, and fails by its code', () => {
    const pay = (exitCode: number): Body =>
      withQuery((builder) => {
        putAddress(putAddress(builder, USER), USER).uint(exitCode, 32).bigUint(1n, 64).bit(true);
        builder.ref(cell((sums) => putAddress(putAddress(sums.coins(8n), named('a')).coins(9n), named('b'))));
      });
    const withdrawal = (exitCode: number): Sent => ({
      op: 0x530b5f2c,
      to: ROUTER,
      body: withQuery((builder) => builder.bigUint(4n, 64).bigUint(77n, 128).int(-10, 24).int(20, 24)),
      sends: [
        {
          op: 0x46ca335a,
          to: named('n'),
          body: withQuery((builder) => void putAddress(builder, USER)),
          sends: [
            {
              op: 0xd73ac09d,
              to: POOL,
              body: withQuery((builder) => putAddress(builder, USER).bigUint(4n, 64)),
              sends: [{ op: 0xa1daa96d, to: ROUTER, body: pay(exitCode) }],
            },
          ],
        },
      ],
    });
    const facts: Facts = { [named('b')]: { jettonWallet: { owner: ROUTER, jetton: named('m') } } };
    expect(actionsOf(wallet(withdrawal(201)), facts)).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        source: USER,
        destination: POOL,
        dex_withdraw_liquidity_data: {
          burned_nft_index: 4n,
          burned_nft_address: named('n'),
          dex_wallet_1: POOL,
          user_jetton_wallet_1: USER,
          user_jetton_wallet_2: USER,
        },
        details: {
          dex: 'tonco',
          lp_tokens_burnt: 77n,
          asset_1: null,
          amount_1: 8n,
          asset_2: named('m'),
          amount_2: 9n,
          is_refund: null,
          tick_lower: -10,
          burnt_nft_index: 4n,
        },
      },
    ]);
    expect(actionsOf(wallet(withdrawal(6)), facts)).toMatchObject([{ success: false }]);
  });
});

describe('DeDust V2', () => {
  const NEXT = named('q');
  const empty = new CellBuilder().cell();
  const swapOperation = (minOut: bigint, ...steps: bigint[]): Body => {
    const stepsFrom = (at: number): Body => {
      const more = at < steps.length;
      return (builder) => {
        builder.bit(more);
        if (more)
          builder.ref(
            cell((step) => {
              putAddress(step, NEXT).coins(steps[at]!).uint(0, 32).uint(0, 8);
              stepsFrom(at + 1)(step);
            }),
          );
      };
    };
    return (builder) => {
      stepsFrom(0)(builder.uint(0xc442500f, 32).coins(minOut).uint(0, 32).uint(0, 8));
      builder.bit(false).bit(false);
    };
  };
  /** TON into a pool with an operation. */
  const payNative = (amount: bigint, operation: Body, ...sends: Sent[]): Sent => ({
    op: 0xa5a7cbf8,
    to: POOL,
    body: withQuery((builder) => builder.coins(amount).ref(cell(operation)).ref(empty)),
    sends,
  });
  const swapLog = (amountIn: bigint, amountOut: bigint): Sent => ({
    op: 0x78e79ba4,
    to: null,
    body: (builder) => builder.bit(true).coins(amountIn).coins(amountOut),
  });
  const payTon = (amount: bigint, exitCode = 0): Sent => ({
    op: 0x3216ca09,
    to: USER,
    body: withQuery((builder) => builder.coins(amount).int(exitCode, 32).bit(false)),
  });
  const excess: Sent = { op: 0xd53276db, to: USER };
  const V2 = (root: Sent, facts: Facts = WALLETS) => actionsOf(wallet(root), facts, '1.3');

  it('a swap through two pools states its steps; release 1.2 knows none', () => {
    const hop = transfer(named('v'), named('x'), 50n, swapLog(50n, 30n), payTon(30n));
    const root = payNative(9n, swapOperation(40n, 25n, 28n), swapLog(8n, 50n), hop, excess);
    const facts = { ...WALLETS, [named('x')]: owned(NEXT, named('m')) };
    expect(V2(root, facts)).toMatchObject([
      {
        type: 'jetton_swap',
        success: true,
        source: USER,
        destination: USER,
        details: {
          dex: 'dedust_v2',
          min_out_amount: 28n,
          asset_in: null,
          asset_out: null,
          dex_incoming_transfer: { amount: 8n, destination: POOL },
          dex_outgoing_transfer: { amount: 30n },
          peer_swaps: [
            { asset_in: null, amount_in: 8n, asset_out: named('m'), amount_out: 50n },
            { asset_in: named('m'), amount_in: 50n, asset_out: null, amount_out: 30n },
          ],
        },
      },
    ]);
    expect(actionsOf(wallet(root), facts)).not.toContainEqual(
      expect.objectContaining({ type: 'jetton_swap' }),
    );
  });

  it('a swap without a log, given back, has failed', () => {
    const facts: Facts = { [POOL]: { pool: { assets: [null, named('m')] } } };
    const root = payNative(9n, swapOperation(40n), payTon(9n, 77), excess);
    expect(V2(root, facts)).toMatchObject([
      {
        type: 'jetton_swap',
        success: false,
        details: {
          asset_in: null,
          asset_out: named('m'),
          min_out_amount: 40n,
          dex_incoming_transfer: { amount: 9n },
          dex_outgoing_transfer: { amount: 0n, source: POOL, destination: USER },
        },
      },
    ]);
    expect(V2(payNative(9n, swapOperation(40n), payTon(9n)), facts)).not.toContainEqual(
      expect.objectContaining({ type: 'jetton_swap' }),
    );
  });

  it('a withdrawal without its log is given back, with automatic claim it is none', () => {
    const withdrawal = (isAutoClaim: boolean, ...sends: Sent[]): Sent => ({
      op: 0x20b5ef89,
      to: POOL,
      body: withQuery((builder) => builder.coins(70n).coins(0n).coins(0n).bit(isAutoClaim)),
      sends: [{ op: 0xbc1531a9, to: named('n'), sends: [{ op: 0xf6f6a3aa, to: POOL, sends }] }],
    });
    const log: Sent = { op: 0xc0d77b54, to: null, body: (builder) => builder.coins(69n) };
    const paid = [transfer(named('v'), named('w'), 4n), payTon(5n)];
    expect(V2(withdrawal(false, log, ...paid))).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        destination: POOL,
        dex_withdraw_liquidity_data: {
          dex: 'dedust_v2',
          lp_tokens_burnt: 69n,
          amount1: 4n,
          asset1_out: named('m'),
          user_jetton_wallet_1: named('w'),
          amount2: 5n,
          asset2_out: null,
        },
      },
    ]);
    expect(V2(withdrawal(false))).toMatchObject([
      { success: false, dex_withdraw_liquidity_data: { lp_tokens_burnt: 70n, is_refund: true } },
    ]);
    expect(V2(withdrawal(true, log))[0]).toMatchObject({ type: 'call_contract' });
  });

  it('fees are assigned by their amounts, and a reward has one asset', () => {
    const claim = (ops: readonly [number, number, number], body: Body, ...sends: Sent[]): Sent => ({
      op: ops[0],
      to: POOL,
      sends: [{ op: ops[1], to: named('n'), sends: [{ op: ops[2], to: POOL, body, sends }] }],
    });
    const fees = claim(
      [0x5652f1df, 0x25f19752, 0x29ff1bcf],
      withQuery((builder) => builder.coins(6n).coins(5n)),
      payTon(5n),
      transfer(named('v'), named('w'), 6n),
    );
    const place = { source: USER, destination: POOL, destination_secondary: named('n') };
    expect(V2(fees)).toMatchObject([
      {
        ...place,
        type: 'dedust_v2_claim_fees',
        details: {
          asset_1: named('m'),
          amount_1: 6n,
          user_jetton_wallet_1: named('w'),
          asset_2: null,
          amount_2: 5n,
        },
      },
    ]);
    const reward = claim(
      [0x909fdb65, 0x2e0cccba, 0x9e17fbbe],
      withQuery((builder) => builder.coins(6n)),
      transfer(named('v'), named('w'), 6n),
    );
    expect(V2(reward)).toMatchObject([
      {
        ...place,
        type: 'dedust_v2_claim_reward',
        dex_withdraw_liquidity_data: { amount1: 6n, asset1_out: named('m') },
        details: { asset: named('m'), amount: 6n, user_jetton_wallet: named('w') },
      },
    ]);
  });

  const deposit: Body = (builder) => void builder.uint(0xc9a015da, 32).coins(11n).coins(12n).coins(1n);
  const credit = (isX: boolean, amount: bigint, ...sends: Sent[]): Sent => ({
    op: 0xdc5ddba1,
    to: named('n'),
    body: withQuery((builder) => builder.bit(isX).coins(amount)),
    sends,
  });
  const join = (...sends: Sent[]): Sent => ({
    op: 0x25251ee0,
    to: POOL,
    body: withQuery((builder) => void putAddress(builder.ref(empty).coins(10n).coins(12n), USER)),
    sends,
  });
  const deposited: Sent = {
    op: 0x35df2e12,
    to: null,
    body: (builder) => builder.coins(9n).coins(8n).coins(7n),
  };
  const payJetton = (...sends: Sent[]): Sent => {
    const plain = transfer(named('w'), named('v'), 12n, ...sends);
    return {
      ...plain,
      body: withQuery((builder) => {
        putAddress(putAddress(builder.coins(12n), ROUTER), USER)
          .bit(false)
          .coins(1n)
          .bit(false);
        builder.uint(0xcbc33949, 32).ref(cell(deposit)).ref(empty);
      }),
    };
  };

  it('two legs of one contract are one deposit, with both assets and the amounts of the log', () => {
    const root = wallet(
      payNative(10n, deposit, credit(true, 10n)),
      payJetton(credit(false, 12n, join(deposited, payTon(1n)))),
    );
    expect(actionsOf(root, WALLETS, '1.3')).toMatchObject([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: USER,
        destination: POOL,
        destination_secondary: named('n'),
        dex_deposit_liquidity_data: {
          dex: 'dedust_v2',
          asset1: null,
          amount1: 9n,
          asset2: named('m'),
          amount2: 8n,
          user_jetton_wallet_2: named('w'),
          target_amount_1: 11n,
          target_asset_2: named('m'),
          target_amount_2: 12n,
          lp_tokens_minted: 7n,
          vault_excesses: [{ asset: null, amount: 1n }],
        },
      },
    ]);
  });

  it('a deposit that gives all back has failed, and a leg alone waits', () => {
    expect(V2(payNative(10n, deposit, credit(true, 10n, join(payTon(10n)))))).toMatchObject([
      {
        success: false,
        dex_deposit_liquidity_data: { amount1: 10n, amount2: 12n, lp_tokens_minted: null },
      },
    ]);
    expect(V2(payNative(10n, deposit, credit(true, 10n)))).toMatchObject([
      {
        success: true,
        source: USER,
        destination: POOL,
        dex_deposit_liquidity_data: { amount1: 10n, amount2: null, target_amount_2: 12n },
      },
    ]);
  });
});
