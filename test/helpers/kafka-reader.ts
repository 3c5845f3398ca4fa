import { BrokerRetry } from '../../src/log/kafka/client/broker-retry.ts';
import { KafkaClient } from '../../src/log/kafka/client/kafka-client.ts';
import { type KafkaBusOptions, SILENT } from '../../src/log/kafka/kafka-options.ts';
import { type End, PartitionReader } from '../../src/log/kafka/wire/partition-reader.ts';
import { decodeRecords, type StoredRecord } from '../../src/log/kafka/wire/record-batch.ts';

export interface ReadRecord extends StoredRecord {
  readonly partition: number;
}

/** The committed records of a topic of Kafka, partition by partition. `name`: without the prefix. */
export async function readCommitted(
  options: KafkaBusOptions,
  name: string,
  partitions: number,
): Promise<ReadRecord[]> {
  const client = new KafkaClient(options);
  const reader = new PartitionReader(client);
  const topic = `${options.prefix}.${name}`;
  const { brokers } = options;
  // As the bus reads: a topic that was just made has no leader for a moment.
  const { signal } = new AbortController();
  const brokerRetry = new BrokerRetry({ brokers, unavailableMs: 120_000, log: SILENT, closed: signal });
  const offsetOf = (partition: number, end: End) =>
    brokerRetry.run('offsets', () => reader.offset(topic, partition, end));
  try {
    const found: ReadRecord[] = [];
    for (let partition = 0; partition < partitions; partition++) {
      const end = await offsetOf(partition, 'latest');
      for (let at = await offsetOf(partition, 'earliest'); at < end; ) {
        const request = { topic, partition, offset: at, maxBytes: 1 << 22, maxWaitMs: 500 };
        const page = await brokerRetry.run('fetch', () => reader.fetch(request));
        for (const batch of page?.batches ?? [])
          for (const record of await decodeRecords(batch))
            if (record.offset >= at) found.push({ partition, ...record });
        at = page?.next ?? end;
      }
    }
    return found;
  } finally {
    await reader.close();
    client.destroy();
  }
}
