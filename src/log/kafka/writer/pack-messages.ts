import type { Message } from 'kafkajs';
import type { NewRecord, NewStep } from '../../port.ts';
import { withPlace } from '../record-headers.ts';

/** Content of one request. */
export interface Packet {
  readonly messages: readonly Message[];
}

/** kafkajs copies its list of messages once for each message, and makes one batch of those for a partition. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 8_000_000;

/** The records of the steps as Kafka's messages, in order, cut into requests of bearable size. */
export function packMessages(steps: readonly NewStep[]): Packet[] {
  const packets: { messages: Message[] }[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const step of steps) {
    for (const [index, record] of step.records.entries()) {
      const size = record.value.byteLength;
      const full = (packets.at(-1)?.messages.length ?? 0) >= MAX_MESSAGES || bytes + size > MAX_BYTES;
      if (full) {
        packets.push({ messages: [] });
        bytes = 0;
      }
      bytes += size;
      packets.at(-1)?.messages.push(message(step, record, index === step.records.length - 1));
    }
  }
  return packets;
}

function message(step: NewStep, { key, headers, value }: NewRecord, endsStep: boolean): Message {
  return {
    partition: step.lane,
    key: Buffer.from(key, 'utf8'),
    value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    headers: withPlace(headers, step, endsStep),
  };
}
