import type { AccountId } from './account-id.ts';

/** A block by its full or partial id. `shard` unsigned 64-bit. */
export interface PartialBlockId {
  readonly workchain?: number;
  readonly shard?: bigint;
  readonly seqno?: number;
}

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
}

/** Whether the filter names a seqno that no block has: nothing needs to be asked then. */
export function isImpossible(filter: { readonly seqno?: number; readonly mcSeqno?: number }): boolean {
  return (filter.seqno ?? 0) < 0 || (filter.mcSeqno ?? 0) < 0;
}

/** Whether a time bound is among the filters: it changes the order of the list. */
export function hasTimeBound(filter: TransactionFilter): boolean {
  return filter.startUtime !== undefined || filter.endUtime !== undefined;
}

/** Whether every transaction passes. */
export function isUnfiltered(filter: TransactionFilter): boolean {
  return Object.values(filter).every(
    (value) => value === undefined || (Array.isArray(value) && !value.length),
  );
}
