import { randomBytes } from 'node:crypto';
import kafkajs from 'kafkajs';
import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import type { KafkaBusOptions } from '../../../src/log/kafka/kafka-options.ts';
import type { Bus } from '../../../src/log/port.ts';
import type { LogUnderTest } from './log-fixture.ts';

export interface KafkaLog extends LogUnderTest {
  readonly options: KafkaBusOptions;
}

/** A log under a prefix of its own, whose topics are deleted at the end. */
export async function kafkaLog(
  brokers: readonly string[],
  more: Partial<KafkaBusOptions> = {},
): Promise<KafkaLog> {
  const prefix = `test.${randomBytes(6).toString('hex')}`;
  const options = { brokers, prefix, ...more };
  const opened: Bus[] = [];
  return {
    options,
    place: { kind: 'kafka', brokers, prefix },
    async open() {
      const bus = await createKafkaBus(options);
      opened.push(bus);
      return bus;
    },
    async dispose() {
      await Promise.all(opened.map((bus) => bus.close()));
      await deleteTopics(brokers, prefix);
    },
  };
}

async function deleteTopics(brokers: readonly string[], prefix: string): Promise<void> {
  if (!prefix.startsWith('test.')) throw new Error(`not a test's prefix: ${prefix}`);
  const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`));
    await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
