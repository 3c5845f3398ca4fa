import { describe, expect, it } from 'vitest';
import { toLaunchpadTrades } from '../../../../src/projections/lake/to-launchpad-trades.ts';
import type { Cell } from '../../../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { storeAddress } from '../../../../src/ton/store/store-address.ts';
import { snakeCell } from '../../../../src/ton/store/store-snake.ts';
import { madeTrace } from '../../../helpers/trade-traces.ts';

/* No launchpad is among the recorded traces: the logs are built by their published layouts. */

const TON = `0:${'0'.repeat(64)}`;
const [MASTER, TRADER, PARTNER, TAG] = ['A1', 'B2', 'C3', 'D4'].map((pair) => `0:${pair.repeat(32)}`) as [
  string,
  string,
  string,
  string,
];
const GASPUMP_CODE = '6ox2FGgwSndqH0lxBiss6BMBM2reNTNNKPu5yjNVTRc=';
const address = (raw: string) => ({ workchain: 0, address: Buffer.from(raw.slice(2), 'hex') });
const opened = (op: number) => new CellBuilder().uint(op, 32);

/** The trades of a log that the master sent. */
function tradesOf(op: number, body: CellBuilder, code = '') {
  const log = { from: MASTER, op, body: body.cell() };
  return toLaunchpadTrades(madeTrace([{ account: MASTER, out: [log] }], { codes: { [MASTER]: code } }));
}

/** log trader ton jettons new_supply collected referral */
function curveLog(op: number, referral: Cell | null) {
  const body = opened(op).with(storeAddress, address(TRADER));
  for (const coins of [5_000_000_000n, 70_000n, 80_000n, 9_000_000_000n]) body.coins(coins);
  return body.maybeRef(referral);
}

const PLACE = { position: 7, traceId: 'trace', txHash: '1', lt: 1n, pool: MASTER, version: 1, queryId: null };
const BUY = { trader: TRADER, sold: TON, bought: MASTER, amountSold: 5_000_000_000n, amountBought: 70_000n };
const SALE = { trader: TRADER, sold: MASTER, bought: TON, amountSold: 70_000n, amountBought: 5_000_000_000n };
const LAUNCH = { ...PLACE, sold: '', bought: '', amountSold: 0n, amountBought: 0n };

describe('trades of launchpads', () => {
  const terms = () =>
    opened(0xf7ecea4c).with(storeAddress, address(PARTNER)).with(storeAddress, address(TAG)).cell();

  it.each([
    ['ton.fun', 0xcd78325d, 0x5e97d116, 0x0f6ab54f],
    ['blum', 0xceac8af4, 0xef2e2def, 0x30c7219b],
  ])('of %s are purchases, sales and launches', (project, buy, sell, launch) => {
    expect(tradesOf(buy, curveLog(buy, terms()))).toMatchObject([
      { ...PLACE, ...BUY, project, referral: PARTNER, platformTag: TAG },
    ]);
    expect(tradesOf(sell, curveLog(sell, null))).toMatchObject([
      { ...PLACE, ...SALE, project, referral: '', platformTag: '' },
    ]);
    expect(tradesOf(launch, opened(launch).coins(1n).coins(2n))).toMatchObject([
      { ...LAUNCH, project, trader: '' },
    ]);
  });

  it('of Blum have the text of a referrer', () => {
    const text = snakeCell(Buffer.from('partner 42'), opened(0x63e0e26d));
    expect(tradesOf(0xceac8af4, curveLog(0xceac8af4, text))).toMatchObject([
      { referral: 'partner 42', platformTag: '' },
    ]);
  });

  it.each([0x67617301, 0x67617302])(
    'of GasPump are purchases by %i; the last one launches the token',
    (op) => {
      const log = (isFull: boolean) => {
        const body = opened(op).with(storeAddress, address(TRADER)).coins(6_000_000_000n);
        return body.coins(5_000_000_000n).coins(70_000n).coins(50_000_000n).bit(isFull);
      };
      const trade = { ...PLACE, ...BUY, project: 'gaspump' };
      expect(tradesOf(op, log(false), GASPUMP_CODE)).toMatchObject([trade]);
      expect(tradesOf(op, log(true), GASPUMP_CODE)).toMatchObject([
        trade,
        { ...LAUNCH, project: 'gaspump', trader: TRADER },
      ]);
      expect(tradesOf(op, log(false), 'another code')).toEqual([]);
      expect(tradesOf(op, log(false))).toEqual([]);
    },
  );

  it('of GasPump are sales', () => {
    const body = opened(0x67617303).with(storeAddress, address(TRADER)).coins(5_000_000_000n);
    expect(tradesOf(0x67617303, body.coins(70_000n).coins(1n), GASPUMP_CODE)).toMatchObject([
      { ...PLACE, ...SALE, project: 'gaspump' },
    ]);
  });

  it('of MemesLab are purchases, sales and launches', () => {
    const log = (op: number) => {
      const body = opened(op).u64(1n).u64(2n).u64(3n).u64(5_000_000_000n).u64(70_000n);
      return body.with(storeAddress, address(TRADER)).uint(0, 4);
    };
    const project = 'memeslab';
    expect(tradesOf(0xace8e777, log(0xace8e777))).toMatchObject([{ ...PLACE, ...BUY, project }]);
    expect(tradesOf(0xace8e778, log(0xace8e778))).toMatchObject([{ ...PLACE, ...SALE, project }]);
    const listing = opened(0xace8e779).u64(1n).uint(1, 4);
    expect(tradesOf(0xace8e779, listing)).toMatchObject([{ ...LAUNCH, project, trader: '' }]);
  });

  it('are none of a log with another layout, of a message to an account, and of a received one', () => {
    expect(tradesOf(0xcd78325d, opened(0xcd78325d))).toEqual([]);
    const log = { from: MASTER, op: 0xcd78325d, body: curveLog(0xcd78325d, null).cell() };
    expect(toLaunchpadTrades(madeTrace([{ account: MASTER, out: [{ ...log, to: TRADER }] }]))).toEqual([]);
    expect(toLaunchpadTrades(madeTrace([{ account: MASTER, in: log }]))).toEqual([]);
  });
});
