import type { AccountId } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { I32, ID, keyset, U32, U64 } from '../../query/keyset.ts';
import type { PartialBlockId } from '../blocks/filter.ts';
import type { MessageFilter } from '../messages/filter.ts';

/** Filters of a list of transactions; all of them hold together. Hashes are 64 hex digits, bounds inclusive. */
export interface TransactionFilter extends PartialBlockId {
  readonly mcSeqno?: number;
  /** Any of these; an empty list is no filter. */
  readonly accounts?: readonly AccountId[];
  readonly excludeAccounts?: readonly AccountId[];
  readonly hashes?: readonly string[];
  readonly lt?: bigint;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  readonly startUtime?: number;
  readonly endUtime?: number;
  /** The transaction is at an end of a message that passes this: without bounds of time or lt. */
  readonly message?: MessageFilter;
  /** Place of a scan: the list from here on. */
  readonly scan?: ScanPlace<TransactionPlace>;
}

/** The place of a transaction in every order of lists: `lt` decimal, `account` 64 upper-case hex digits. */
export interface TransactionPlace {
  readonly now: number;
  readonly lt: string;
  readonly workchain: number;
  readonly account: string;
}

/** Whether a time bound is among the filters: it changes the order of the list. */
export function hasTimeBound(filter: TransactionFilter): boolean {
  return filter.startUtime !== undefined || filter.endUtime !== undefined;
}

/** True if a scan of the list is by time: lists by hash, lt or masterchain block are scanned by lt. */
export function isScannedByTime(filter: TransactionFilter): boolean {
  const isNamed = (filter.hashes?.length ?? 0) > 0 || filter.lt !== undefined || filter.mcSeqno !== undefined;
  return hasTimeBound(filter) && !isNamed;
}

/** Whether every transaction passes. */
export function isUnfiltered(filter: TransactionFilter): boolean {
  return Object.values(filter).every(
    (value) => value === undefined || (Array.isArray(value) && !value.length),
  );
}

const PLACE = { now: U32, lt: U64, workchain: I32, account: ID } as const;

/** Places of `/transactions`. */
export const TRANSACTIONS = keyset<TransactionPlace>({ list: 't', isResumable: true }, PLACE);

/** Places of `/transactions` with message filters and others, as of one moment: a message's sender may come before. */
export const FILTERED_TRANSACTIONS = keyset<TransactionPlace>({ list: 'tf', isResumable: false }, PLACE);

/** Places of `/transactionsByMasterchainBlock`, which is one masterchain step. */
export const STEP_TRANSACTIONS = keyset<TransactionPlace>({ list: 'ts', isResumable: false }, PLACE);

export function transactionPlace({ now, lt, workchain, account }: TransactionPlace): TransactionPlace {
  return { now, lt, workchain, account };
}
