import type { ActionFact, TransactionFact } from './action-fact.ts';

/** A finished trace with messages by which trades that are no actions are found. */
export interface TradeTrace {
  /** The step that completed it. */
  readonly position: number;
  /** Base64. */
  readonly traceId: string;
  /** All of them, by lt. */
  readonly transactions: readonly TransactionFact[];
  /** Successful actions `jetton_transfer`, by lt. */
  readonly transfers: readonly ActionFact[];
  /** Hash of the account's code after the block of a transaction, base64; empty if unknown. */
  readonly getCode: (transaction: TransactionFact) => string;
}
