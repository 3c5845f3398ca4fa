import type { AccountStatus } from '../tlb/transaction/account-status.ts';

/** An account with transactions in a block, and its state before and after as they state it. */
export interface ChangedAccount {
  readonly address: Uint8Array;
  /** Status before the first transaction. */
  readonly origStatus: AccountStatus;
  /** State hashes before the first and after the last transaction. */
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
  /** The transaction before the first one; 0 for none. */
  readonly prevLt: bigint;
  readonly lastLt: bigint;
  readonly lastHash: Uint8Array;
  /** Time of the last transaction, Unix seconds. */
  readonly lastNow: number;
  /** Grams that the transactions took from the account: old balance - new balance. */
  readonly spent: bigint;
}
