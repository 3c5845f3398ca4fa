import type { Transaction } from 'kafkajs';
import type { NewStep } from '../../port.ts';
import { type PlacedStep, planIndex } from '../index/plan-index.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import { packMessages } from './pack-messages.ts';
import { sendInTransaction, type Written } from './transactional-producer.ts';

export interface AppendTransaction {
  readonly transaction: Transaction;
  readonly topic: StepsTopic;
  readonly indexTopic: string;
  readonly steps: readonly NewStep[];
  /** Identifies this append. */
  readonly append: string;
  /** Rejects if the lease is lost: then nothing is committed. */
  readonly allowed: Promise<void>;
}

/** Places of the records that an append has committed. */
export interface Appended {
  /** Offset of the last index record. */
  readonly indexed: number;
  /** The lanes that have records of it. */
  readonly lanes: readonly Written[];
}

/**
 * Sends the records, then their index, then commits: readers see both or nothing. After an error the transaction stays
 * open: the next owner of the transactional id ends it.
 */
export async function appendInTransaction(append: AppendTransaction): Promise<Appended> {
  const { transaction, topic, indexTopic, steps, allowed } = append;
  allowed.catch(() => {});
  const lanes = await sendSteps(transaction, topic, steps);
  const placed = placeSteps(topic, lanes, steps);
  const records = planIndex(topic.index, topic.low, placed, append.append);
  const messages = records.map(({ key, entry }) => ({
    partition: 0,
    key,
    value: entry && JSON.stringify(entry),
  }));
  const first = (await sendInTransaction(transaction, indexTopic, messages))[0]?.first;
  if (first === undefined) throw new Error(`${indexTopic}: the broker named no offset`);
  await allowed;
  await transaction.commit();
  return { indexed: first + messages.length - 1, lanes };
}

/** Sends the records and returns the first offset in each lane. */
async function sendSteps(
  transaction: Transaction,
  { kafkaName }: StepsTopic,
  steps: readonly NewStep[],
): Promise<Written[]> {
  const lanes = new Map<number, Written>();
  for (const { messages } of packMessages(steps)) {
    for (const sent of await sendInTransaction(transaction, kafkaName, messages))
      if (!lanes.has(sent.partition)) lanes.set(sent.partition, sent);
  }
  return [...lanes.values()];
}

/** The steps with their offsets: records of a lane are consecutive, since there is one writer. */
function placeSteps(
  { kafkaName }: StepsTopic,
  lanes: readonly Written[],
  steps: readonly NewStep[],
): PlacedStep[] {
  const firsts = new Map(lanes.map(({ partition, first }) => [partition, first]));
  return steps.map((step) => {
    const first = firsts.get(step.lane);
    if (first === undefined) throw new Error(`${kafkaName}, lane ${step.lane}: the broker named no offset`);
    firsts.set(step.lane, first + step.records.length);
    return { step, first };
  });
}
