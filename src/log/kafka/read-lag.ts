import type { GroupLag } from '../port.ts';
import type { GroupState } from './control/control-state.ts';
import type { KafkaParts } from './kafka-parts.ts';

/** What each group has still to read, lane by lane, and who does it. */
export async function readLag({ control, registry }: KafkaParts): Promise<readonly GroupLag[]> {
  await control.fresh('lag');
  const groups = [...control.state.groups.values()].sort(byName);
  const lag: GroupLag[] = [];
  for (const { topic, group, lanes } of groups) {
    const found = await registry.ensure(topic, null);
    if (found.kind === 'steps') await found.fresh('lag');
    const ends = (await found.bounds()).map(({ next }) => next);
    // The brokers' clock, unless nothing was decided for a while.
    const now = Math.max(control.state.now, Date.now());
    for (const { lane, committed, owner, expiresAt } of lanes) {
      const end = Math.max(committed, ends[lane] ?? 0);
      lag.push({ topic, group, lane, committed, end, owner: expiresAt > now ? owner : null });
    }
  }
  return lag;
}

const byName = (one: GroupState, other: GroupState) =>
  one.topic === other.topic ? compare(one.group, other.group) : compare(one.topic, other.topic);
const compare = (one: string, other: string) => (one < other ? -1 : 1);
