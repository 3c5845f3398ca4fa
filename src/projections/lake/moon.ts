import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { JETTON_TRANSFER_OP } from '../../ton/messages/jetton-transfer.ts';
import { getIncoming, type TransactionFact } from './action-fact.ts';
import { maybeCell, readAddress, readOrNull } from './message-slice.ts';
import { type PoolAmount, readPayouts, readSwapInput, toPoolTrade } from './pool-messages.ts';
import { NATIVE, type Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** Codes of pools, base64. Source: the public data lake. */
const POOL_CODES: ReadonlySet<string> = new Set(['KAgWUlMoah5P5j76ubo1SBE3qsCxoPntzLj2RC3eRsQ=']);

/** Swap: a message with TON, or the payload of jettons. */
export const MOON_SWAP_OP = 0xb37a900b;
/** What a pool sends that is no payment of a swap. */
const OTHER_OPS: ReadonlySet<number> = new Set([
  0xc47c1f57, 0x90d3b4ad, 0xff86f067, 0x16b463b4, 0xd53276db, 0xbaaa2c1b, 0x040beadd, 0x737b4eb6, 0x7daf7060,
]);
/** Nanotons that a pool keeps for gas when it pays TON. */
const GAS = 7_000_000n;

/** Swaps at Moon. */
export function toMoonTrades(trace: TradeTrace): readonly Trade[] {
  return trace.transactions.flatMap((transaction) =>
    POOL_CODES.has(trace.getCode(transaction)) ? (readOrNull(() => readSwap(trace, transaction)) ?? []) : [],
  );
}

/** swap#b37a900b query_id:uint64 amount:Coins of TON, or the payload of jettons; then the terms */
function readSwap(trace: TradeTrace, transaction: TransactionFact): readonly Trade[] {
  const input = readSwapInput(trace, transaction, MOON_SWAP_OP);
  if (!input) return [];
  const { token, amount, queryId, sender, terms } = input;
  const { recipient, referral } = readTerms(terms);
  const bought = readPayouts(trace, transaction)[0] ?? readTonPayout(transaction);
  if (!bought || bought.token === token) return [];
  return toPoolTrade(trace, transaction, {
    ...{ project: 'moon', trader: recipient || sender, queryId, referral, bought },
    sold: { token, amount },
  });
}

/**
 * min_out:Coins deadline:uint64 excess:MsgAddress referral:MsgAddress next_fulfill:(Maybe ^(recipient:MsgAddress …)) next_reject:(Maybe
 * ^…). Published layouts differ in whether a bit stands before each address: the one that takes the whole cell holds.
 */
function readTerms(slice: CellSlice): { readonly recipient: string; readonly referral: string } {
  slice.coins();
  slice.skipBits(64);
  for (const hasBits of [false, true]) {
    const terms = slice.clone();
    const found = readOrNull(() => {
      const read = () => (hasBits && !terms.bit() ? '' : readAddress(terms));
      const [, referral = ''] = [read(), read()];
      const next = maybeCell(terms);
      terms.maybeRef();
      return terms.done() ? { referral, recipient: next ? readAddress(next) : '' } : null;
    });
    if (found) return found;
  }
  return { recipient: '', referral: '' };
}

/** The pool sends on what came with the jettons, without a part for gas. The message pays its forward fee. */
function readTonPayout(transaction: TransactionFact): PoolAmount | null {
  const incoming = getIncoming(transaction);
  const payout = transaction.messages.find(
    ({ direction, opcode, destination }) =>
      direction === 'out' &&
      destination !== null &&
      opcode !== JETTON_TRANSFER_OP &&
      !OTHER_OPS.has(opcode ?? -1),
  );
  if (!payout || !incoming) return null;
  const { value, fwdFee } = payout;
  const amount = value + fwdFee + getSendingFee(fwdFee) + GAS - incoming.value;
  return { token: NATIVE, amount };
}

/** The part of a forward fee that the sending shard took: 21845/65536 of the whole (first_frac of configuration 25). */
const getSendingFee = (rest: bigint): bigint => (rest * 21_845n) / (65_536n - 21_845n);
