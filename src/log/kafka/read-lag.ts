import { partitionLag } from '../chain/chain-range.ts';
import type { GroupState } from '../coordination/coordination-state.ts';
import type { GroupLag } from '../port.ts';
import { getTime } from './control/control-state.ts';
import type { KafkaParts } from './kafka-parts.ts';
import type { OpenTopic } from './topics/topic-registry.ts';

/** Lag and owner of each group by lane. */
export async function readLag({ control, registry }: KafkaParts): Promise<readonly GroupLag[]> {
  await control.fresh('lag');
  const groups = [...control.state.groups.values()].sort(byName);
  const lag: GroupLag[] = [];
  for (const { topic, group, partitions, lanes } of groups) {
    const found = await registry.ensure(topic, null);
    if (found.kind === 'steps') await found.fresh('lag');
    const ends = (await found.bounds()).map(({ next }) => next);
    const now = getTime(control.state);
    for (const { lane, committed, owner, expiresAt } of lanes) {
      const place = { topic, group, lane, committed, owner: expiresAt > now ? owner : null };
      if (partitions === undefined) lag.push({ ...place, end: Math.max(committed, ends[lane] ?? 0) });
      else lag.push(partitionLag(place, getTail(found)));
    }
  }
  return lag;
}

const getTail = (topic: OpenTopic) => (topic.kind === 'steps' ? (topic.index.tail?.position ?? -1) : -1);

const byName = (one: GroupState, other: GroupState) =>
  one.topic === other.topic ? compare(one.group, other.group) : compare(one.topic, other.topic);
const compare = (one: string, other: string) => (one < other ? -1 : 1);
