import { InvalidRequestError } from '../errors.ts';
import type { Commands } from './commands.ts';
import type { CoordinationState } from './coordination-state.ts';

/**
 * Moves the oldest kept offset of each lane after the runs that every group of the topic has passed. The caller leaves
 * runs that partitions need out of `ends`: partitions never go back.
 */
export function applyTrim(
  state: CoordinationState,
  { topic, ends, areGone }: Commands['trim']['args'],
): undefined {
  const known = state.topics.get(topic);
  if (!known) throw new InvalidRequestError('trim', `the topic ${topic}`, 'none');
  const groups = [...state.groups.values()].filter(
    (group) => group.topic === topic && group.partitions === undefined,
  );
  for (const [lane, low] of known.low.entries()) {
    const needed = Math.min(...groups.map((group) => group.lanes[lane]?.committed ?? 0));
    const passed = (ends[lane] ?? []).filter((end) => areGone || end <= needed);
    known.low[lane] = Math.max(low, ...passed);
  }
}
