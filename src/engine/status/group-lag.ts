import type { Bus } from '../../log/port.ts';

/** Records that each consumer group has not committed, all lanes together. */
export async function lagByGroup(bus: Pick<Bus, 'lag'>): Promise<Record<string, number>> {
  const lag: Record<string, number> = {};
  for (const { group, committed, end } of await bus.lag()) lag[group] = (lag[group] ?? 0) + end - committed;
  return lag;
}
