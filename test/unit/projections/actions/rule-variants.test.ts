/** Forms of the rules' traces that no recording has (decision 65). */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, OTHER, POOL, ROUTER, MASTER, WALLET, POOL_WALLET, ITEM] = [...'uoprmwxi'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const actionsOf = (root: Sent, known: Known = {}) => classified(traceFrom(root), known);
const typesOf = (root: Sent, known: Known = {}) => actionsOf(root, known).map(({ type }) => type);

/** The id of an action whose first message was created at an lt, by the inner name of its block. */
const idOf = (startLt: bigint | undefined, name: string): string =>
  createHash('sha256').update(`message-${startLt}${name}`).digest('base64');

describe('the inner name in an id', () => {
  const pool: Known = { [POOL]: { codeHash: 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=' } };

  it.each([
    ['a payout that was asked for', { op: 0, body: comment('w'), value: 5n }],
    ['one of several that were waiting', { op: 2 }],
  ])('of a nominator: %s is a request that was answered', (_, order) => {
    const root = wallet({ ...order, to: POOL, sends: [{ to: USER, value: 9n }] });
    const paid = actionsOf(root, pool).find(({ type }) => type === 'stake_withdrawal');
    expect(paid?.id).toBe(idOf(paid?.startLt, 'nominator_pool_withdraw_request'));
  });

  it.each<[string, number, Body]>([
    ['tgbtc_mint', 0x77a80ef3, (log) => void putAddress(log.coins(5n), USER).bigUint(1n, 256)],
    ['tgbtc_burn', 0xca444ce6, (log) => void putAddress(putAddress(log.coins(5n), USER), POOL)],
    ['tgbtc_new_key', 0x27756729, (log) => void putAddress(log.coins(5n).bigUint(1n, 256), POOL)],
  ])('of a lone log is that of the whole action: %s', (name, op, body) => {
    const root = wallet({ op: 0x1, to: OTHER, sends: [{ op, to: null, body }] });
    const [, fallback] = actionsOf(root);
    expect(fallback).toMatchObject({ type: `${name}_fallback` });
    expect(fallback!.id).toBe(idOf(fallback!.startLt, name));
  });
});

it('a lone log of a mint came from the teleport contract', () => {
  const body: Body = (log) => void putAddress(log.coins(5n), USER).bigUint(1n, 256);
  const root = wallet({ op: 0x1, to: OTHER, sends: [{ op: 0x77a80ef3, to: null, body }] });
  expect(actionsOf(root)[1]).toMatchObject({ source: OTHER, source_secondary: OTHER });
});

it('a deposit that another contract makes is of the user whom the pool is told', () => {
  const provide: Sent = {
    op: 0x37c096df,
    to: POOL,
    body: withQuery((builder) => putAddress(builder, OTHER).coins(5n).coins(0n)),
    sends: [{ op: 0x50c6a654, to: ITEM }],
  };
  const known = { [WALLET]: jettonWallet(USER, MASTER), [POOL_WALLET]: jettonWallet(ROUTER, MASTER) };
  const moved = { from: [USER, WALLET], to: [ROUTER, POOL_WALLET], amount: 5n } as const;
  expect(actionsOf(wallet(jettonTransfer(moved, provide)), known)).toMatchObject([
    {
      type: 'dex_deposit_liquidity',
      source: OTHER,
      details: { source: OTHER, user_jetton_wallet_1: WALLET },
    },
  ]);
});

describe('coffee', () => {
  const order: Body = withQuery((builder) => putAddress(builder, USER).coins(1n).bit(false).bit(false));
  const payment = (op: number): Sent => ({
    op: 0xc0ffee21,
    to: ROUTER,
    body: order,
    sends: [{ op, to: USER }],
  });

  it('a payment is by the pool that told the vault, and only a payout has a receiver', () => {
    const root: Sent = {
      op: 0x595f07bc,
      to: WALLET,
      body: withQuery((builder) => void putAddress(builder.coins(33n), USER)),
      sends: [
        {
          op: 0x7bdd97de,
          to: POOL,
          sends: [
            payment(0xc0ffee32),
            payment(0xc0ffee36),
            { op: 0xc0ffee35, to: null, body: withQuery((log) => log.coins(1n).coins(2n).coins(33n)) },
          ],
        },
      ],
    };
    expect(actionsOf(wallet(root), { [WALLET]: jettonWallet(USER, POOL) })).toMatchObject([
      {
        type: 'dex_withdraw_liquidity',
        dex_withdraw_liquidity_data: {
          ...{ dex_wallet_1: POOL, user_jetton_wallet_1: USER },
          ...{ dex_wallet_2: POOL, user_jetton_wallet_2: null },
        },
      },
    ]);
  });

  it('the notice of minted tokens is no part of the deposit', () => {
    const putPool = (builder: CellBuilder) => builder.uint(0, 2).uint(0, 2).uint(0, 3).bit(false);
    const create: Sent = {
      op: 0xc0ffee27,
      to: POOL,
      body: withQuery((builder) => {
        builder.coins(5n).ref(cellOf((one) => putAddress(one, USER).bit(false)));
        builder.ref(cellOf(putPool));
        putAddress(builder, USER);
      }),
      sends: [
        {
          op: 0xc0ffee22,
          to: ITEM,
          sends: [
            {
              op: 0xc0ffee29,
              to: POOL,
              sends: [
                {
                  op: 0x178d4519,
                  to: WALLET,
                  body: withQuery((builder) => {
                    putAddress(putAddress(builder.coins(5n), POOL), USER).coins(1n);
                  }),
                  sends: [{ op: 0x7362d09c, to: USER }],
                },
              ],
            },
          ],
        },
      ],
    };
    const root: Sent = { to: OTHER, sends: [{ op: 0xc0ffee04, to: POOL, sends: [create] }] };
    // The vault names the depositor, who may differ from the payer.
    expect(actionsOf(root)).toMatchObject([{ type: 'dex_deposit_liquidity', source: USER }, {}]);
    expect(typesOf(root)).toEqual(['dex_deposit_liquidity', 'call_contract']);
  });

  it('held jettons do not name the wallet of the contract that holds them', () => {
    const known = { [WALLET]: jettonWallet(USER, MASTER), [POOL_WALLET]: jettonWallet(POOL, MASTER) };
    const payload: Body = (builder) => builder.uint(0x6bc79e7e, 32);
    const moved = { from: [USER, WALLET], to: [POOL, POOL_WALLET], amount: 5n, payload } as const;
    expect(actionsOf(wallet(jettonTransfer(moved)), known)).toMatchObject([
      { type: 'coffee_mev_protect_hold_funds', source_secondary: WALLET, destination_secondary: null },
    ]);
  });
});

describe('a hand-over by the item', () => {
  const item: AccountFacts = {
    nftItem: { index: 5n, collection: OTHER, owner: USER, contentUri: null, codeHash: null },
  };
  const handOver = (payload: Body): Sent => ({
    op: 0x05138d91,
    to: USER,
    body: withQuery((builder) => payload(putAddress(builder, OTHER).bit(false))),
  });
  const bid: Body = (builder) => void builder.uint(0x38127de1, 32).coins(70n).uint(9, 32);

  it('takes the payment in only where it names a bid', () => {
    const paid = (payload: Body) => wallet({ to: ITEM, sends: [handOver(payload)] });
    expect(typesOf(paid(bid), { [ITEM]: item })).toEqual(['nft_transfer']);
    expect(
      typesOf(
        paid(() => {}),
        { [ITEM]: item },
      ),
    ).toEqual(['ton_transfer', 'nft_transfer']);
  });

  it('pays royalty first and the seller next, whatever else is paid', () => {
    const payouts = [OTHER, ROUTER, MASTER].map(
      (to, at): Sent => ({ op: 0x370fec51, to, value: BigInt(at + 1) }),
    );
    const root = wallet({ to: ITEM, sends: [handOver(bid), ...payouts] });
    expect(actionsOf(root, { [ITEM]: item })).toMatchObject([
      {
        nft_transfer_data: { royalty_amount: 1n, payout_amount: 2n },
        nft_listing_data: { royalty_address: OTHER, marketplace_fee_address: ROUTER },
      },
    ]);
  });

  it('to the first owner is no purchase, of the place where the bid was made all the same', () => {
    const deployed = wallet({ op: 0x299a3e15, to: ITEM, sends: [handOver(bid)] });
    expect(actionsOf(deployed, { [ITEM]: item })).toMatchObject([
      { type: 'call_contract' },
      {
        type: 'nft_transfer',
        nft_transfer_data: { is_purchase: false, price: null, marketplace: 'fragment' },
        details: { is_purchase: false, marketplace: null },
      },
    ]);
  });
});
