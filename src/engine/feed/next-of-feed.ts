import type { LogIdentity } from '../../log/port.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

/**
 * The next position of a feed. `next`: the one after the topic's last, null for an empty topic, which begins with the
 * epoch of the head: earlier ones are read from the store, and would be freed at once. If the served version lacks
 * rows, readers fill the gap from the store too.
 */
export function nextOfFeed(
  next: number | null,
  { first, last }: PositionRange,
  { epochSize }: Pick<LogIdentity, 'epochSize'>,
): number {
  if (next !== null && next >= first) return next;
  return Math.max(first, Math.floor(last / epochSize) * epochSize);
}
