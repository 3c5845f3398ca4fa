import { type Bus, type ConsumerOptions, stepFrom, toOffset } from '../../log/port.ts';

/**
 * Moves partitions that are before a step to it: their version's confirmed range decides where they continue, not the
 * log.
 */
export async function advancePartitions(
  bus: Bus,
  group: Omit<ConsumerOptions, 'sessionMs'>,
  until: number,
): Promise<void> {
  const consumer = await bus.consumer({ ...group, sessionMs: 15_000 });
  try {
    for (const lease of await consumer.claim()) {
      if (stepFrom(lease.committed) >= until) continue;
      const left = await consumer.pending(lease);
      if (left) await consumer.confirm(lease, left);
      await consumer.commit(lease, Math.max(lease.committed, left?.next ?? 0, toOffset(until)));
    }
  } finally {
    await consumer.release();
  }
}
