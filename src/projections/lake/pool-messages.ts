import type { CellSlice } from '../../ton/boc/cell-slice.ts';
import { JETTON_NOTIFICATION_OP } from '../../ton/messages/jetton-notification.ts';
import { JETTON_TRANSFER_OP } from '../../ton/messages/jetton-transfer.ts';
import { loadPayload, openPayload } from '../../ton/messages/payload.ts';
import { getIncoming, getText, type TransactionFact } from './action-fact.ts';
import { openBody, readAddress } from './message-slice.ts';
import { NATIVE, type Trade } from './trade.ts';
import type { TradeTrace } from './trade-trace.ts';

/** What a pool received or paid. */
export interface PoolAmount {
  /** Jetton master, or address zero for TON; raw text. */
  readonly token: string;
  readonly amount: bigint;
}

/** Jettons that a pool received. */
export interface JettonInput extends PoolAmount {
  readonly queryId: bigint;
  readonly sender: string;
  /** Its opcode is not read yet. */
  readonly payload: CellSlice | null;
}

const NATIVE_NOTIFICATION_OP = 0x6edd65f0;

/** Master of a jetton wallet, by the transfers of the trace; empty if unknown. */
export function findMaster({ transfers }: TradeTrace, wallet: string | null): string {
  for (const { details } of transfers)
    for (const name of ['sender_jetton_wallet', 'receiver_jetton_wallet'])
      if (getText(details, name) === wallet) return getText(details, 'asset');
  return '';
}

/** The jettons that a transaction received; null if it received none, or those of an unknown master. @throws CellError, BocError */
export function readJettonInput(trace: TradeTrace, transaction: TransactionFact): JettonInput | null {
  const incoming = getIncoming(transaction);
  if (incoming?.opcode !== JETTON_NOTIFICATION_OP || incoming.bounced) return null;
  const token = findMaster(trace, incoming.source);
  if (token === '') return null;
  const slice = openBody(incoming);
  const [queryId, amount, sender] = [slice.u64(), slice.coins(), readAddress(slice)];
  const payload = loadPayload(slice);
  return { token, queryId, amount, sender, payload: payload && openPayload(slice.boc, payload) };
}

/** What a transaction sold in a swap, with its terms. */
export interface SwapInput extends PoolAmount {
  readonly queryId: bigint;
  readonly sender: string;
  /** After the opcode, and after query id and amount of TON. */
  readonly terms: CellSlice;
}

/**
 * Reads the swap that a transaction was asked for: a message with TON, opcode query_id:uint64 amount:Coins, or jettons with the opcode
 * in their payload. Null for others. @throws CellError, BocError
 */
export function readSwapInput(
  trace: TradeTrace,
  transaction: TransactionFact,
  opcode: number,
): SwapInput | null {
  const incoming = getIncoming(transaction);
  if (!incoming || incoming.bounced) return null;
  if (incoming.opcode === opcode) {
    const terms = openBody(incoming);
    const [queryId, amount] = [terms.u64(), terms.coins()];
    return { token: NATIVE, queryId, amount, sender: incoming.source ?? '', terms };
  }
  const input = readJettonInput(trace, transaction);
  if (!input?.payload || input.payload.uint(32) !== opcode) return null;
  return { ...input, terms: input.payload };
}

/** True if a transaction received jettons. */
export const isJettonReceipt = (transaction: TransactionFact): boolean =>
  getIncoming(transaction)?.opcode === JETTON_NOTIFICATION_OP;

/** What a transaction paid out: jettons of known masters, and TON with Bidask's notification. @throws CellError, BocError */
export function readPayouts(trace: TradeTrace, { messages }: TransactionFact): readonly PoolAmount[] {
  return messages.flatMap((message): readonly PoolAmount[] => {
    const { direction, opcode, destination } = message;
    const isJetton = opcode === JETTON_TRANSFER_OP;
    if (direction !== 'out' || (!isJetton && opcode !== NATIVE_NOTIFICATION_OP)) return [];
    const token = isJetton ? findMaster(trace, destination) : NATIVE;
    const slice = openBody(message);
    slice.skipBits(64);
    return token === '' ? [] : [{ token, amount: slice.coins() }];
  });
}

/** Facts of a swap in a pool. */
export interface PoolTrade {
  readonly project: string;
  readonly sold: PoolAmount;
  readonly bought: PoolAmount;
  readonly trader: string;
  readonly queryId: bigint;
  readonly referral?: string;
  readonly router?: string;
  /** Default: the account of the transaction. */
  readonly pool?: string;
}

/** The trade of a swap; none if nothing was sold or bought. `transaction`: the one that the row names. */
export function toPoolTrade(
  { position, traceId }: TradeTrace,
  { lt, now: time, hash: txHash, account }: TransactionFact,
  swap: PoolTrade,
): readonly Trade[] {
  const { sold, bought, project, trader, queryId, referral = '', router = '', pool = account } = swap;
  if (sold.amount <= 0n || bought.amount <= 0n) return [];
  return [
    {
      ...{ position, lt, time, txHash, traceId, project, version: 1, trader, pool, router, payer: '' },
      ...{ sold: sold.token, bought: bought.token, amountSold: sold.amount, amountBought: bought.amount },
      ...{ reserves: null, referral, queryId, platformTag: '' },
    },
  ];
}
