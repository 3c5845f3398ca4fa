import { KafkaClient } from '../../src/platform/bus/kafka/client/kafka-client.ts';
import type { KafkaBusOptions } from '../../src/platform/bus/kafka/kafka-options.ts';
import { PartitionReader } from '../../src/platform/bus/kafka/wire/partition-reader.ts';
import { decodeRecords, type StoredRecord } from '../../src/platform/bus/kafka/wire/record-batch.ts';

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
  try {
    const found: ReadRecord[] = [];
    for (let partition = 0; partition < partitions; partition++) {
      const end = await reader.offset(topic, partition, 'latest');
      for (let at = await reader.offset(topic, partition, 'earliest'); at < end; ) {
        const page = await reader.fetch({ topic, partition, offset: at, maxBytes: 1 << 22, maxWaitMs: 500 });
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
