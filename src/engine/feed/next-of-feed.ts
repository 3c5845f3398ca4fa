import type { LogIdentity } from '../../log/port.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

/**
 * Position that a feed appends next. `next`: behind the topic's last one, null for an empty topic, which begins with the epoch
 * of the head: what lies before is read from the store, and would be freed at once. Behind rows that the served version has
 * not got, readers fill the hole from the store too.
 */
export function nextOfFeed(
  next: number | null,
  { first, last }: PositionRange,
  { epochSize }: Pick<LogIdentity, 'epochSize'>,
): number {
  if (next !== null && next >= first) return next;
  return Math.max(first, Math.floor(last / epochSize) * epochSize);
}
