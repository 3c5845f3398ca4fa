import { describe, expect, it } from 'vitest';
import { toTracedTrades } from '../../../../src/projections/lake/to-traced-trades.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { storeAddress } from '../../../../src/ton/store/store-address.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';
import { type MadeTransfer, madeTrace, recordedTradeTrace } from '../../../helpers/trade-traces.ts';

const TON = `0:${'0'.repeat(64)}`;
const USDT = '0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE';
const raw = (pair: string) => `0:${pair.repeat(32)}`;
const [POOL, USER, PARTNER, JETTON, OTHER] = [raw('A1'), raw('B2'), raw('C3'), raw('D4'), raw('E5')];
/** Jetton wallets of the pool. */
const [WALLET, OTHER_WALLET] = [raw('F6'), raw('F7')];
const TRANSFERS: readonly MadeTransfer[] = [
  { asset: JETTON, sender: USER, receiver: POOL, receiverWallet: WALLET },
  { asset: OTHER, sender: POOL, receiver: USER, senderWallet: OTHER_WALLET },
];
const address = (text: string) => ({ workchain: 0, address: Buffer.from(text.slice(2), 'hex') });
const opened = (op: number) => new CellBuilder().uint(op, 32);
const [NOTIFICATION, TRANSFER, PAID_TON] = [0x7362d09c, 0x0f8a7ea5, 0x6edd65f0];

const notification = (amount: bigint, payload: CellBuilder) => ({
  from: WALLET,
  to: POOL,
  op: NOTIFICATION,
  body: opened(NOTIFICATION)
    .u64(11n)
    .coins(amount)
    .with(storeAddress, address(USER))
    .bit(true)
    .ref(payload.cell())
    .cell(),
  value: 200_000_000n,
});
const transfer = (amount: bigint) => ({
  ...{ from: POOL, to: OTHER_WALLET, op: TRANSFER },
  body: opened(TRANSFER).u64(11n).coins(amount).with(storeAddress, address(USER)).cell(),
});

describeWithData('recorded swaps at Bidask', (data) => {
  const tradesOf = (name: string) =>
    toTracedTrades(recordedTradeTrace(`${data}/api-recordings/toncenter-v3/mytonwallet/bidask/${name}.json`));
  const swap = {
    ...{ project: 'bidask_clmm', version: 1, router: '', referral: '' },
    pool: '0:004B79A4B38A062827C9ED56932C84DFA9A582E489C60B0D3483E6FE93BD08CC',
    trader: '0:B9A7DCE19431B56044254C69858E8DC11FEC5C0761DED415E386FBE4B4E116F5',
  };

  it('of TON and of jettons have the amounts that the range names', () => {
    expect(tradesOf('tonSwapUsdtTraceResponse')).toMatchObject([
      {
        ...{ ...swap, sold: TON, bought: USDT, amountSold: 1_000_000_000n, amountBought: 2_203_695n },
        ...{ queryId: 8643066067347247n, lt: 62993351000007n, time: 1761570938 },
      },
    ]);
    expect(tradesOf('usdtSwapTonTraceResponse')).toMatchObject([
      {
        ...{ ...swap, sold: USDT, bought: TON, amountSold: 1_000_000n, amountBought: 452_012_226n },
        queryId: 6446655679584766n,
      },
    ]);
  });
});

describe('swaps at Bidask', () => {
  const codes = { [POOL]: 'v/KqDp40glzQHQgUaETayPSq7EEnLPwS5CykwUgShcE=' };
  const RANGE = raw('09');
  const order = {
    ...{ from: POOL, to: RANGE, op: 0x66210c65 },
    body: opened(0x66210c65)
      .u64(11n)
      .with(storeAddress, address(USER))
      .uint(0b01, 2)
      .coins(500n)
      .coins(0n)
      .cell(),
  };
  const success = (x: bigint, y: bigint) => ({
    ...{ from: RANGE, to: POOL, op: 0x520e4831 },
    body: opened(0x520e4831)
      .u64(11n)
      .uint(614, 32)
      .bigUint(1n, 256)
      .bit(false)
      .coins(x)
      .coins(y)
      .bit(true)
      .with(storeAddress, address(USER))
      .maybeRef(new CellBuilder().with(storeAddress, address(PARTNER)).cell())
      .cell(),
  });
  const ranged = (x: bigint, y: bigint) => [
    { account: POOL, in: notification(500n, opened(0xf2ef6c1b)), out: [order] },
    { account: RANGE, in: order, out: [success(x, y)] },
    { account: POOL, in: success(x, y), out: [transfer(90n)] },
  ];

  it('of version 1 leave out what comes back, and name the referrer', () => {
    expect(toTracedTrades(madeTrace(ranged(20n, 95n), { codes, transfers: TRANSFERS }))).toMatchObject([
      {
        ...{ project: 'bidask_clmm', pool: POOL, trader: USER, sold: JETTON, bought: OTHER, txHash: '3' },
        ...{ amountSold: 480n, amountBought: 95n, referral: PARTNER, queryId: 11n },
      },
    ]);
  });

  it('count only in a pool under a known code, with jettons of known masters, for something', () => {
    expect(toTracedTrades(madeTrace(ranged(20n, 95n), { transfers: TRANSFERS }))).toEqual([]);
    expect(toTracedTrades(madeTrace(ranged(20n, 95n), { codes }))).toEqual([]);
    expect(toTracedTrades(madeTrace(ranged(500n, 0n), { codes, transfers: TRANSFERS }))).toEqual([]);
  });

  it('in a pool with one curve are of TON or of jettons', () => {
    const terms = (body: CellBuilder) =>
      body
        .with(storeAddress, address(USER))
        .coins(80n)
        .with(storeAddress, address(USER))
        .coins(0n)
        .maybeRef(new CellBuilder().with(storeAddress, address(PARTNER)).cell())
        .bit(false)
        .bit(false);
    const options = {
      codes: { [POOL]: 'soSSUgw7A7zd0cfq4QtcxolhyDQHawC1OfoIA8w9pqw=' },
      transfers: TRANSFERS,
    };
    const facts = { project: 'bidask_damm', pool: POOL, trader: USER, referral: PARTNER };
    const body = terms(opened(0xdd79732c).u64(12n).coins(500n)).cell();
    const ton = { account: POOL, in: { from: USER, to: POOL, op: 0xdd79732c, body }, out: [transfer(90n)] };
    expect(toTracedTrades(madeTrace([ton], options))).toMatchObject([
      { ...facts, sold: TON, amountSold: 500n, bought: OTHER, amountBought: 90n, queryId: 12n },
    ]);
    const paid = { from: POOL, to: USER, op: PAID_TON, body: opened(PAID_TON).u64(11n).coins(7n).cell() };
    const jettons = { account: POOL, in: notification(500n, terms(opened(0xdd79732c))), out: [paid] };
    expect(toTracedTrades(madeTrace([jettons], options))).toMatchObject([
      { ...facts, sold: JETTON, amountSold: 500n, bought: TON, amountBought: 7n, queryId: 11n },
    ]);
    const deposit = { account: POOL, in: notification(500n, opened(0x96feef7b)), out: [paid] };
    expect(toTracedTrades(madeTrace([deposit], options))).toEqual([]);
  });
});

describe('swaps at Moon', () => {
  const options = {
    codes: { [POOL]: 'KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ=' },
    transfers: TRANSFERS,
  };
  const next = new CellBuilder().with(storeAddress, address(PARTNER)).bit(false).cell();
  /** min_out deadline excess referral next_fulfill next_reject */
  const terms = (body: CellBuilder, hasBits = false) => {
    body.coins(1n).u64(9n);
    if (hasBits) return body.bit(false).bit(true).with(storeAddress, address(USER)).bit(false).bit(false);
    return body.uint(0b00, 2).with(storeAddress, address(USER)).maybeRef(next).bit(false);
  };
  const facts = { project: 'moon', pool: POOL, referral: USER };

  it('for TON have what the pool sent, without the value that came with the jettons', () => {
    const paid = { from: POOL, to: USER, op: 0xcb7f38d6, body: opened(0xcb7f38d6).cell() };
    const out = [{ ...paid, value: 5_192_600_000n, fwdFee: 266_669n }];
    const swap = { account: POOL, in: notification(500n, terms(opened(0xb37a900b))), out };
    expect(toTracedTrades(madeTrace([swap], options))).toMatchObject([
      {
        ...facts,
        trader: PARTNER,
        sold: JETTON,
        amountSold: 500n,
        bought: TON,
        amountBought: 5_000_000_000n,
      },
    ]);
    const failed = { ...swap, out: [{ ...out[0]!, op: 0xc47c1f57 }] };
    expect(toTracedTrades(madeTrace([failed], options))).toEqual([]);
    expect(toTracedTrades(madeTrace([swap], { ...options, codes: {} }))).toEqual([]);
  });

  it('for jettons have their amount, in both published layouts of the terms', () => {
    for (const hasBits of [false, true]) {
      const body = terms(opened(0xb37a900b).u64(12n).coins(600n), hasBits).cell();
      const message = { from: OTHER, to: POOL, op: 0xb37a900b, body };
      const swap = { account: POOL, in: message, out: [transfer(90n)] };
      expect(toTracedTrades(madeTrace([swap], options))).toMatchObject([
        {
          ...{ ...facts, trader: hasBits ? OTHER : PARTNER, queryId: 12n },
          ...{ sold: TON, amountSold: 600n, bought: OTHER, amountBought: 90n },
        },
      ]);
    }
  });
});

describe('swaps at Megaton', () => {
  const ROUTER = '0:16709D273B75AD3654A652329CAAFE3BDF9602BE246ABBB2CC349A0F5EC74754';
  const wallet = raw('1A');
  const move = (asset: string, amount: bigint, sender: string, receiver: string) => ({
    ...{ asset, amount, sender, receiver, senderWallet: wallet, queryId: 5n, txHashes: ['1'] },
  });
  const transfers = [
    move(JETTON, 500n, USER, ROUTER),
    move(JETTON, 500n, ROUTER, POOL),
    move(OTHER, 90n, POOL, ROUTER),
    move(OTHER, 90n, ROUTER, USER),
  ];
  const trade = (list: readonly MadeTransfer[]) =>
    toTracedTrades(madeTrace([{ account: wallet }], { transfers: list }));

  it('are four transfers through a router', () => {
    expect(trade(transfers)).toMatchObject([
      {
        ...{ project: 'megaton', pool: POOL, router: ROUTER, trader: USER, queryId: 5n, txHash: '1' },
        ...{ sold: JETTON, amountSold: 500n, bought: OTHER, amountBought: 90n },
      },
    ]);
  });

  it.each([
    ['lacks a transfer', transfers.slice(1)],
    ['is not to the trader', [...transfers.slice(0, 3), move(OTHER, 90n, ROUTER, PARTNER)]],
    ['has another amount', [move(JETTON, 501n, USER, ROUTER), ...transfers.slice(1)]],
    ['is through no router', transfers.map((one) => ({ ...one, sender: USER }))],
  ])('are none if the chain %s', (_, list) => {
    expect(trade(list)).toEqual([]);
  });
});
