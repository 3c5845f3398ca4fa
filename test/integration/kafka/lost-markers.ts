import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaClient } from '../../../src/log/kafka/client/kafka-client.ts';
import type { Broker } from '../../../src/log/kafka/client/kafkajs-internals.ts';
import type { KafkaBusOptions } from '../../../src/log/kafka/kafka-options.ts';
import { TopicSettings } from '../../../src/log/kafka/topic-settings.ts';
import { describeTransactionCall } from '../../../src/log/kafka/wire/describe-transaction.ts';

export interface LostMarkers {
  /** Resolves when the coordinator takes the id's last transaction for ended. */
  ended(): Promise<void>;
  /** From here on no marker is lost any more. */
  restore(): void;
}

/**
 * Makes transactions of the id name other partitions than they write to: a broker that does not verify them ends them
 * without markers in these, like a broker killed between decision and markers.
 */
export async function loseMarkers(
  options: KafkaBusOptions,
  transactionalId: string,
  lost?: string,
): Promise<LostMarkers> {
  const client = new KafkaClient(options);
  const cluster = client.cluster();
  await cluster.connect();
  const coordinator = await cluster.findGroupCoordinator({ groupId: transactionalId, coordinatorType: 1 });
  const brokers = Object.getPrototypeOf(coordinator) as Broker;
  const { addPartitionsToTxn } = brokers;
  const decoy = { topic: new TopicSettings(options.prefix).control, partitions: [0] };
  brokers.addPartitionsToTxn = function addDecoy(request) {
    if (request.transactionalId !== transactionalId) return addPartitionsToTxn.call(this, request);
    const kept = request.topics.filter(({ topic }) => lost !== undefined && topic !== lost);
    const topics = kept.length < request.topics.length ? [...kept, decoy] : kept;
    return addPartitionsToTxn.call(this, { ...request, topics });
  };
  const state = async () =>
    (await coordinator.connectionPool.send(describeTransactionCall(transactionalId))).state;
  return {
    async ended() {
      while (!(await state()).startsWith('Complete')) await sleep(20);
    },
    restore() {
      brokers.addPartitionsToTxn = addPartitionsToTxn;
      client.destroy();
    },
  };
}
