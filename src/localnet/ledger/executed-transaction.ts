import type { Cell } from '../../ton/cell/cell.ts';
import type { Money } from '../../ton/currencies/money.ts';
import type { AccountEntry } from './account-entry.ts';
import type { ExternalOut, OutMessage } from './out-message.ts';

/** A transaction that was executed in this block. */
export interface ExecutedTransaction {
  readonly accepted: true;
  readonly address: Uint8Array;
  readonly cell: Cell;
  readonly lt: bigint;
  /** Above it and all its messages. */
  readonly endLt: bigint;
  readonly fees: Money;
  /** Gas of its code. */
  readonly gas: number;
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
  readonly messages: readonly (OutMessage | ExternalOut)[];
  /** The account before and after; null if there is none. */
  readonly before: AccountEntry | null;
  readonly after: AccountEntry | null;
}
