import { KafkaCodeError } from '../client/errors.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Broker, Cluster } from '../client/kafkajs-internals.ts';
import { Reconnecting } from '../client/reconnecting.ts';
import { committedBatches } from './committed-batches.ts';
import { describeProducersCall, type OpenTransaction, type Place } from './describe-producers.ts';
import { type FetchRequest, fetchCall } from './fetch.ts';
import { type RecordBatch, readBatches } from './record-batch.ts';

/** Result of one fetch. */
export interface Page {
  /** Committed batches; the first may begin before the offset asked for. */
  readonly batches: readonly RecordBatch[];
  /** Next offset to read, after markers and aborted transactions too. */
  readonly next: number;
  /** The end for readers of committed data: the first record of an open transaction. */
  readonly lastStable: number;
  /** The offset after the last record that all copies have. */
  readonly highWatermark: number;
}

/** The oldest record, the end of what is committed, or the end of what is written, in transactions that are open too. */
export type End = 'earliest' | 'latest' | 'written';

const OFFSET_OUT_OF_RANGE = 1;
const TIMESTAMP: Readonly<Record<End, number>> = { latest: -1, written: -1, earliest: -2 };
const READ_UNCOMMITTED = 0;
const READ_COMMITTED = 1;

/**
 * Reads partitions by offset, as no member of any group, on connections of its own. Errors of brokers and connections
 * are thrown; the next call connects again.
 */
export class PartitionReader {
  readonly #connection: Reconnecting<Cluster>;

  constructor(client: KafkaClient) {
    this.#connection = new Reconnecting(
      async () => {
        const cluster = client.cluster();
        await cluster.connect();
        return cluster;
      },
      (cluster) => cluster.disconnect(),
    );
  }

  /** Null if the offset is before the oldest record or after the end. */
  fetch(request: FetchRequest): Promise<Page | null> {
    const { topic, partition, offset } = request;
    return this.#connection.use(async (cluster) => {
      const broker = await leader(cluster, topic, partition);
      const response = await broker.connectionPool.send(fetchCall(request));
      if (response.code === OFFSET_OUT_OF_RANGE) return null;
      if (response.code !== 0)
        throw new KafkaCodeError(
          `fetch of ${topic}, partition ${partition}, offset ${offset}`,
          response.code,
        );
      const batches = readBatches(response.set);
      const last = batches.at(-1);
      return {
        batches: committedBatches(batches, response.aborted),
        next: last ? last.lastOffset + 1 : offset,
        lastStable: response.lastStable,
        highWatermark: response.highWatermark,
      };
    });
  }

  /** An end of a partition, as an offset. */
  offset(topic: string, partition: number, end: End): Promise<number> {
    return this.#connection.use(async (cluster) => {
      const broker = await leader(cluster, topic, partition);
      const { responses } = await broker.listOffsets({
        isolationLevel: end === 'written' ? READ_UNCOMMITTED : READ_COMMITTED,
        topics: [{ topic, partitions: [{ partition, timestamp: TIMESTAMP[end] }] }],
      });
      const found = responses[0]?.partitions[0];
      if (!found) throw new KafkaCodeError(`offsets of ${topic}, partition ${partition}`, -1);
      return Number(found.offset);
    });
  }

  /** The open transactions in partitions: one request to each broker that leads some of them. */
  openTransactions(places: readonly Place[]): Promise<OpenTransaction[]> {
    return this.#connection.use(async (cluster) => {
      await cluster.addMultipleTargetTopics([...new Set(places.map(({ topic }) => topic))]);
      const byLeader = Map.groupBy(places, ({ topic, partition }) => leaderId(cluster, topic, partition));
      const found = await Promise.all(
        [...byLeader].map(async ([nodeId, led]) =>
          (await cluster.findBroker({ nodeId })).connectionPool.send(describeProducersCall(led)),
        ),
      );
      return found.flat();
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

async function leader(cluster: Cluster, topic: string, partition: number): Promise<Broker> {
  await cluster.addMultipleTargetTopics([topic]);
  return cluster.findBroker({ nodeId: leaderId(cluster, topic, partition) });
}

/** Node id of a partition's leader; the cluster already knows the topic. */
function leaderId(cluster: Cluster, topic: string, partition: number): string {
  const found = cluster
    .findTopicPartitionMetadata(topic)
    .find(({ partitionId }) => partitionId === partition);
  if (!found || found.leader < 0) throw new KafkaCodeError(`leader of ${topic}, partition ${partition}`, 5);
  return String(found.leader);
}
