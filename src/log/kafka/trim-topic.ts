import { stepFrom } from '../port.ts';
import type { KafkaParts } from './kafka-parts.ts';
import type { StepsTopic } from './topics/steps-topic.ts';

/**
 * Frees the epochs below `epoch` that every group has passed. Kafka deletes only from a lane's beginning, so nothing
 * after a needed run is freed. The run of the tail is retained, since capture resumes from it. The brokers delete after the
 * decision is in the control log; after a failure the next call repeats it.
 */
export async function trimTopic(parts: KafkaParts, name: string, epoch: number): Promise<readonly number[]> {
  const { control, registry, admin } = parts;
  const topic = await registry.find(name);
  if (topic?.kind !== 'steps') return [];
  const operation = `trim of ${name}`;
  await Promise.all([control.fresh(operation), topic.fresh(operation)]);
  const before = getRetainedEpochs(topic);
  const below = Math.min(epoch, await partitionsPast(parts, name));
  const ends = Array.from({ length: topic.lanes }, (_, lane) => disposable(topic, lane, below));
  await control.execute('trim', { topic: name, ends });
  const after = getRetainedEpochs(topic);
  const low = [...topic.low.entries()].filter(([, offset]) => offset > 0);
  await admin.deleteBefore(topic.kafkaName, new Map(low));
  return [...before].filter((retained) => !after.has(retained)).sort((a, b) => a - b);
}

/** The epoch that the last of the topic's partitions is in. */
async function partitionsPast({ control, registry }: KafkaParts, topic: string): Promise<number> {
  const { epochSize } = await registry.requireIdentity();
  const groups = [...control.state.groups.values()].filter(
    (group) => group.topic === topic && group.partitions !== undefined,
  );
  const steps = groups.flatMap(({ lanes }) => lanes.map(({ committed }) => stepFrom(committed)));
  return Math.floor(Math.min(...steps) / epochSize);
}

/** Ends of the lane's oldest runs that epochs and tail allow to free. */
function disposable(topic: StepsTopic, lane: number, epoch: number): number[] {
  const { tail } = topic.index;
  const runs = topic.getRetainedRuns(lane);
  const holdsTail = (run: (typeof runs)[number]) =>
    tail?.lane === lane && tail.offset >= run.first && tail.offset < run.next;
  const firstRetained = runs.findIndex((run) => run.epoch >= epoch || holdsTail(run));
  return runs.slice(0, firstRetained < 0 ? runs.length : firstRetained).map(({ next }) => next);
}

function getRetainedEpochs(topic: StepsTopic): Set<number> {
  const lanes = Array.from({ length: topic.lanes }, (_, lane) => topic.getRetainedRuns(lane));
  return new Set(lanes.flat().map((run) => run.epoch));
}
