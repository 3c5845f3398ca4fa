import { KafkaCodeError } from '../client/errors.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Broker } from '../client/kafkajs-internals.ts';
import type { BusLog } from '../kafka-options.ts';
import { describeTransactionCall } from '../wire/describe-transaction.ts';
import type { PartitionReader } from '../wire/partition-reader.ts';
import { TRANSACTION_MS } from './transactional-producer.ts';

export interface Place {
  readonly topic: string;
  readonly partition: number;
}

/** All partitions of a topic. */
export const allOf = (topic: string, partitions: number): Place[] =>
  Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));

export interface HangingPorts {
  readonly client: KafkaClient;
  readonly reader: PartitionReader;
  readonly log: BusLog;
  readonly transactionalId: string;
  /** In every transaction of the id. */
  readonly always: Place;
  /** In some of them. */
  readonly others: () => readonly Place[];
}

const TRANSACTION_COORDINATOR = 1;
/** The id is not known, or may not be asked for. */
const NOTHING_TOLD = new Set([105, 53]);
const OUTCOMES: Readonly<Record<string, boolean | null>> = { CompleteCommit: true, CompleteAbort: false };

/**
 * Ends a transaction that its coordinator takes for ended, and that is open in its partitions all the same: a broker that
 * was killed and started again may lose the markers that end it. The outcome is the one that the coordinator decided on. It
 * is asked for before the id is taken, which makes the coordinator forget it.
 */
export class HangingTransaction {
  readonly #ports: HangingPorts;
  /** Whether the id's last transaction was committed; null where that is not known. */
  #committed: boolean | null = null;

  constructor(ports: HangingPorts) {
    this.#ports = ports;
  }

  /** For who is about to take the id: whoever had it before is fenced where something hangs. */
  async end(): Promise<void> {
    const cluster = this.#ports.client.cluster();
    try {
      await cluster.connect();
      const coordinator = await cluster.findGroupCoordinator({
        groupId: this.#ports.transactionalId,
        coordinatorType: TRANSACTION_COORDINATOR,
      });
      await this.#ask(coordinator);
      if (this.#committed !== null && (await this.#isOpen(this.#ports.always)))
        await this.#endAs(coordinator, this.#committed);
      this.#committed = null;
    } finally {
      void cluster.disconnect().catch(() => {});
    }
  }

  async #ask(coordinator: Broker): Promise<void> {
    const { transactionalId } = this.#ports;
    const { code, state } = await coordinator.connectionPool.send(describeTransactionCall(transactionalId));
    if (code !== 0 && !NOTHING_TOLD.has(code))
      throw new KafkaCodeError(`transaction of ${transactionalId}`, code);
    // Taken by an attempt of this one that got no further: what was known before still holds.
    if (state !== 'Empty') this.#committed = OUTCOMES[state] ?? null;
  }

  /** Under a new epoch: nobody else's transaction of this id is open then, and what is open still hangs. */
  async #endAs(coordinator: Broker, committed: boolean): Promise<void> {
    const { transactionalId, always, others, log } = this.#ports;
    const { producerId, producerEpoch } = await coordinator.initProducerId({
      transactionalId,
      transactionTimeout: TRANSACTION_MS,
    });
    if (!(await this.#isOpen(always))) return;
    const looked = await Promise.all(
      others().map(async (place) => ((await this.#isOpen(place)) ? [place] : [])),
    );
    const topics = [...Map.groupBy([always, ...looked.flat()], ({ topic }) => topic)].map(
      ([topic, places]) => ({
        topic,
        partitions: places.map(({ partition }) => partition),
      }),
    );
    const owner = { transactionalId, producerId, producerEpoch };
    await coordinator.addPartitionsToTxn({ ...owner, topics });
    await coordinator.endTxn({ ...owner, transactionResult: committed });
    log.warn({ transactionalId, committed, topics }, 'ended a transaction that hung at the brokers');
  }

  async #isOpen({ topic, partition }: Place): Promise<boolean> {
    const { reader } = this.#ports;
    const written = await reader.offset(topic, partition, 'written');
    return (await reader.offset(topic, partition, 'latest')) < written;
  }
}
