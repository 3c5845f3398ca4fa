import type { StepsTopic } from '../topics/steps-topic.ts';
import { type HangingTransaction, listPartitions } from './hanging-transaction.ts';

/**
 * Ends what hangs in the lanes of a topic, for the owner of its writer's id while the index holds everything that was
 * written to it. The outcome is the index's: records and index are one transaction, and a lane that ends before the open
 * one begins has nothing of it. So it does not matter what the coordinator remembers. True where something hung: the
 * id was taken for it, and its last user is fenced.
 */
export async function endHangingLanes(hanging: HangingTransaction, topic: StepsTopic): Promise<boolean> {
  const open = await hanging.open(listPartitions(topic.kafkaName, topic.lanes));
  const byOutcome = Map.groupBy(open, ({ partition, from }) => topic.index.end(partition) > from);
  for (const [committed, places] of byOutcome) await hanging.endAs(places, committed);
  return open.length > 0;
}
