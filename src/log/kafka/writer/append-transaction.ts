import type { Transaction } from 'kafkajs';
import type { NewStep } from '../../port.ts';
import { type PlacedStep, planIndex } from '../index/plan-index.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import { packMessages } from './pack-messages.ts';
import { sendInTransaction } from './transactional-producer.ts';

export interface AppendTransaction {
  readonly transaction: Transaction;
  readonly topic: StepsTopic;
  readonly indexTopic: string;
  readonly steps: readonly NewStep[];
  /** Tells this append from others. */
  readonly append: string;
  /** Rejects where the lease is lost: then nothing is committed. */
  readonly allowed: Promise<void>;
}

/**
 * Sends the records, then the index of them, then commits: readers see both or nothing. Returns the offset of the last
 * index record. After an error the transaction is left as it is: the next owner of the transactional id ends it.
 */
export async function appendInTransaction(append: AppendTransaction): Promise<number> {
  const { transaction, topic, indexTopic, steps, allowed } = append;
  allowed.catch(() => {});
  const placed = await sendSteps(transaction, topic, steps);
  const records = planIndex(topic.index, topic.low, placed, append.append);
  const messages = records.map(({ key, entry }) => ({
    partition: 0,
    key,
    value: entry && JSON.stringify(entry),
  }));
  const first = (await sendInTransaction(transaction, indexTopic, messages)).get(0);
  if (first === undefined) throw new Error(`${indexTopic}: the broker named no offset`);
  await allowed;
  await transaction.commit();
  return first + messages.length - 1;
}

/** The steps with their offsets: in each lane the records lie one behind the other, since there is one writer. */
async function sendSteps(
  transaction: Transaction,
  { kafkaName }: StepsTopic,
  steps: readonly NewStep[],
): Promise<PlacedStep[]> {
  const firsts = new Map<number, number>();
  for (const { messages } of packMessages(steps)) {
    for (const [lane, offset] of await sendInTransaction(transaction, kafkaName, messages))
      if (!firsts.has(lane)) firsts.set(lane, offset);
  }
  return steps.map((step) => {
    const first = firsts.get(step.lane);
    if (first === undefined) throw new Error(`${kafkaName}, lane ${step.lane}: the broker named no offset`);
    firsts.set(step.lane, first + step.records.length);
    return { step, first };
  });
}
