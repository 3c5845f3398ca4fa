import type { LogIdentity } from '../../log/port.ts';
import type { FedTopic } from '../projection/projection.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

/**
 * The next position of a feed. `next`: the one after the topic's last, null for an empty topic. An empty topic begins
 * with the epoch of the head: earlier steps are read from the store, and would be freed at once. If the served version
 * lacks rows, readers fill the gap from the store too.
 */
export function nextOfFeed(
  next: number | null,
  { first, last }: PositionRange,
  { epochSize }: Pick<LogIdentity, 'epochSize'>,
  { begins = 'head' }: Pick<FedTopic, 'begins'> = {},
): number {
  if (next !== null && next >= first) return next;
  if (begins === 'first') return first;
  return Math.max(first, Math.floor(last / epochSize) * epochSize);
}
