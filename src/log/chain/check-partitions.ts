import { InvalidRequestError } from '../errors.ts';
import type { ConsumerOptions } from '../port.ts';

/**
 * Compares what a member asks for with what the group was made with; undefined: it shares lanes.
 * @throws InvalidRequestError
 */
export function checkPartitions(
  { topic, group, partitions }: Pick<ConsumerOptions, 'topic' | 'group' | 'partitions'>,
  recorded: number | undefined,
): void {
  if (partitions !== undefined && !(Number.isSafeInteger(partitions) && partitions > 0))
    throw new InvalidRequestError(`partitions of ${group}`, 'a positive integer', String(partitions));
  if (partitions !== recorded)
    throw new InvalidRequestError(`group ${group} of ${topic}`, shared(recorded), shared(partitions));
}

const shared = (partitions: number | undefined) =>
  partitions === undefined ? 'members that share lanes' : `members that share ${partitions} partitions`;
