import type { Message, TopicMessages } from 'kafkajs';
import type { OutputRecord } from '../../port.ts';

/** kafkajs copies the list of a partition's messages once for each of them, and makes one batch of it. */
const MAX_MESSAGES = 2_000;
const MAX_BYTES = 8_000_000;

/** The records as kafkajs takes them, in order, cut into requests of bearable size. */
export function packOutputs(
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
