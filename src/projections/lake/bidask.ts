import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { getIncoming, type TransactionFact } from './action-fact.ts';
import { maybeCell, openBody, readAddress, readOrNull } from './message-slice.ts';
import {
  isJettonReceipt,
  readJettonInput,
  readPayouts,
  readSwapInput,
  toPoolTrade,
} from './pool-messages.ts';
import { NATIVE, type Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** Codes of pools with ranges, base64. Source: the public data lake. */
const RANGE_CODES: ReadonlySet<string> = new Set([
  'v/KqDp40glzQHQgUaETayPSq7EEnLPwS5CykwUgShcE=',
  'PhUUUnEa/dETOqXfL7qqTevqBvOLBLj8R94tthKI4Zs=',
]);
/** Codes of pools with one curve, base64. Source: the public data lake. */
const CURVE_CODES: ReadonlySet<string> = new Set([
  'NmoGqSrfoW/6F7dbECL+axF8psb5kNp93YEPdYfLYfg=',
  'oTI7bKi3ig68sMDj7FmV0Sk1VoCmLKLp8JMAvSoUBsY=',
  'soSSUgw7A7zd0cfq4QtcxolhyDQHawC1OfoIA8w9pqw=',
]);

/** Opcode of a range's success → opcode of the pool's order to the range (src/ton/bodies/layouts/bidask.tlb). */
const ORDERS: ReadonlyMap<number, number> = new Map([
  [0x520e4831, 0x66210c65],
  [0xd3a25890, 0x87d36990],
]);
const SUCCESS_V2 = 0xd3a25890;

export const BIDASK_SUCCESS_OPS: readonly number[] = [...ORDERS.keys()];
/** Swap in a pool with one curve: a message with TON, or the payload of jettons. */
export const BIDASK_CURVE_OP = 0xdd79732c;

/** Swaps at Bidask. Left out: swaps between accounts inside Bidask, whose tokens only get methods name. */
export function toBidaskTrades(trace: TradeTrace): readonly Trade[] {
  return trace.transactions.flatMap((transaction) => {
    const code = trace.getCode(transaction);
    const read = RANGE_CODES.has(code) ? readRangeSwap : CURVE_CODES.has(code) ? readCurveSwap : null;
    return (read && readOrNull(() => read(trace, transaction))) ?? [];
  });
}

/**
 * success query_id:uint64 bin:int32 sqrt_price:uint256 order:Bool x:Coins y:Coins is_x:Bool user:MsgAddress, in version 2 then
 * fee:uint16; then (Maybe ^(referral)), in version 2 (Maybe ^(sender referral)). The sold token is x if `is_x`: the other amount is
 * bought, and this one comes back.
 */
function readRangeSwap(trace: TradeTrace, transaction: TransactionFact): readonly Trade[] {
  const success = getIncoming(transaction);
  const orderOp = ORDERS.get(success?.opcode ?? -1);
  if (!success || success.bounced || orderOp === undefined) return [];
  const slice = openBody(success);
  const queryId = slice.u64();
  slice.skipBits(32 + 256 + 1);
  const [x, y] = [slice.coins(), slice.coins()];
  const [output, rest] = slice.bit() ? [y, x] : [x, y];
  readAddress(slice);
  const referral = readReferral(slice, success.opcode === SUCCESS_V2);
  const order = findOrder(trace, transaction, orderOp, queryId);
  if (!order) return [];
  const { amountIn, user: trader, asked } = order;
  const sold = isJettonReceipt(asked) ? readJettonInput(trace, asked)?.token : NATIVE;
  const bought = readPayouts(trace, transaction).find(({ token }) => token !== sold)?.token;
  if (sold === undefined || bought === undefined) return [];
  return toPoolTrade(trace, transaction, {
    ...{ project: 'bidask_clmm', trader, queryId, referral },
    sold: { token: sold, amount: amountIn - rest },
    bought: { token: bought, amount: output },
  });
}

function readReferral(slice: CellSlice, isVersion2: boolean): string {
  if (isVersion2) slice.skipBits(16);
  const cell = maybeCell(slice);
  if (!cell) return '';
  if (isVersion2) readAddress(cell);
  return cell.bitsLeft < 2 ? '' : readAddress(cell);
}

/** What a pool ordered from a range, and its transaction that did. */
interface RangeOrder {
  readonly user: string;
  readonly amountIn: bigint;
  readonly asked: TransactionFact;
}

/** The last order of the pool before a success: query_id:uint64 user:MsgAddress order:Bool is_x:Bool amount_in:Coins … */
function findOrder(
  { transactions }: TradeTrace,
  { account, lt }: TransactionFact,
  op: number,
  queryId: bigint,
): RangeOrder | null {
  const earlier = transactions.filter((one) => one.account === account && one.lt < lt);
  for (const asked of earlier.toReversed()) {
    const order = asked.messages.find(({ direction, opcode }) => direction === 'out' && opcode === op);
    const slice = order && openBody(order);
    if (!slice || slice.u64() !== queryId) continue;
    const user = readAddress(slice);
    slice.skipBits(2);
    return { user, amountIn: slice.coins(), asked };
  }
  return null;
}

/** swap#dd79732c, of TON: query_id:uint64 amount:Coins; then receiver:MsgAddress min_out:Coins sender:MsgAddress exact_out:Coins (Maybe ^(referral)) … */
function readCurveSwap(trace: TradeTrace, transaction: TransactionFact): readonly Trade[] {
  const asked = readSwapInput(trace, transaction, BIDASK_CURVE_OP);
  if (!asked) return [];
  const { terms, queryId, token, amount } = asked;
  const trader = readAddress(terms);
  terms.coins();
  readAddress(terms);
  terms.coins();
  const cell = maybeCell(terms);
  const bought = readPayouts(trace, transaction).find((one) => one.token !== token);
  if (!bought) return [];
  const referral = cell ? readAddress(cell) : '';
  return toPoolTrade(trace, transaction, {
    ...{ project: 'bidask_damm', trader, queryId, referral, bought },
    sold: { token, amount },
  });
}
