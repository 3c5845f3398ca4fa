import kafkajs, { type Message, type TopicMessages, type Transaction } from 'kafkajs';
import { InvalidRequestError } from '../../errors.ts';
import type { OutputRecord } from '../../port.ts';
import type { TopicSettings } from '../topic-settings.ts';
import type { Written } from '../writer/transactional-producer.ts';

/** kafkajs copies the list of a partition's messages once for each of them, and makes one batch of it. */
const MAX_MESSAGES = 2_000;
const MAX_BYTES = 8_000_000;

/** @throws InvalidRequestError for a topic that is not among the outputs, or a partition that it does not have */
export function checkOutputs(
  operation: string,
  records: readonly OutputRecord[],
  outputs: readonly string[],
  partitions: number,
): void {
  for (const { topic, partition } of records) {
    if (!outputs.includes(topic))
      throw new InvalidRequestError(operation, `one of ${outputs.join(', ')}`, topic);
    if (!Number.isInteger(partition) || partition < 0 || partition >= partitions)
      throw new InvalidRequestError(
        `${operation}, to ${topic}`,
        `a partition within 0..${partitions - 1}`,
        String(partition),
      );
  }
}

/** Sends the records and returns the first offset in each partition. */
export async function sendOutputs(
  transaction: Transaction,
  records: readonly OutputRecord[],
  settings: TopicSettings,
): Promise<Written[]> {
  const written = new Map<string, Written>();
  const compression = kafkajs.CompressionTypes.ZSTD;
  for (const topicMessages of packOutputs(records, (name) => settings.data(name))) {
    const sent = await transaction.sendBatch({ acks: -1, compression, topicMessages });
    for (const { topicName: topic, partition, baseOffset } of sent) {
      const place = `${topic}/${partition}`;
      if (!written.has(place)) written.set(place, { topic, partition, first: Number(baseOffset) });
    }
  }
  return [...written.values()];
}

/** The records as kafkajs takes them, in order, cut into requests of bearable size. */
function packOutputs(
  records: readonly OutputRecord[],
  kafkaName: (topic: string) => string,
): TopicMessages[][] {
  const packets: Map<string, Message[]>[] = [];
  let [count, bytes] = [MAX_MESSAGES, 0];
  for (const { topic, partition, key, headers, value } of records) {
    if (count >= MAX_MESSAGES || bytes + value.byteLength > MAX_BYTES) {
      packets.push(new Map());
      [count, bytes] = [0, 0];
    }
    count++;
    bytes += value.byteLength;
    const packet = packets.at(-1) as Map<string, Message[]>;
    const messages = packet.get(topic) ?? [];
    packet.set(topic, messages);
    messages.push({
      partition,
      key: Buffer.from(key, 'utf8'),
      value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      headers: { ...headers },
    });
  }
  return packets.map((packet) =>
    [...packet].map(([topic, messages]) => ({ topic: kafkaName(topic), messages })),
  );
}
