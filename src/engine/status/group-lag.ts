import type { Bus, GroupLag } from '../../log/port.ts';
import { isRetryGroup } from '../versions/version-names.ts';

/** Lag of the groups that read the log. Groups of retries are absent: they commit nothing, so they would lag for ever. */
export async function readGroupLag(bus: Pick<Bus, 'lag'>): Promise<readonly GroupLag[]> {
  return (await bus.lag()).filter(({ group }) => !isRetryGroup(group));
}

/** Records that each consumer group has not committed, all lanes together. */
export async function lagByGroup(bus: Pick<Bus, 'lag'>): Promise<Record<string, number>> {
  const lag: Record<string, number> = {};
  for (const { group, committed, end } of await readGroupLag(bus))
    lag[group] = (lag[group] ?? 0) + end - committed;
  return lag;
}
