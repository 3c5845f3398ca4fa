import { type GroupLag, type JournalEntry, stepFrom, toOffset } from '../port.ts';

/** Highest position in a topic of steps, -1 if it is empty. */
export interface ChainExtent {
  readonly epochSize: number;
  readonly tail: number;
}

/** The offset after the last record that a partition can read now. */
export const endOfChain = ({ tail }: Pick<ChainExtent, 'tail'>): number => toOffset(tail + 1);

/**
 * Problem of a batch to journal while `committed` is the partition's committed offset, or null. It must begin with the
 * next step, end with a step, and stay within one epoch.
 */
export function problemOfChainRange(
  { from, next, epoch }: JournalEntry,
  committed: number,
  { epochSize, tail }: ChainExtent,
): string | null {
  const begin = toOffset(stepFrom(committed));
  const isBegin = committed === 0 ? from === toOffset(stepFrom(from)) : from === committed || from === begin;
  if (!isBegin) return `a batch from offset ${begin}`;
  const [first, last] = [stepFrom(from), stepFrom(next) - 1];
  const isInside = first <= last && last <= tail;
  if (isInside && [first, last].every((position) => Math.floor(position / epochSize) === epoch)) return null;
  const ends = Math.min(tail, (Math.floor(first / epochSize) + 1) * epochSize - 1);
  return `a range of masterchain ${first}..${ends}, of one epoch`;
}

/** Progress of a partition, in steps; `committed`: its offset. */
export function partitionLag(lag: Omit<GroupLag, 'end'>, tail: number): GroupLag {
  const committed = stepFrom(lag.committed);
  return { ...lag, committed, end: Math.max(committed, tail + 1), isPartition: true };
}
