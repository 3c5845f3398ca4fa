import { ConflictError } from '../../../platform/errors/error-kinds.ts';
import { pollFor } from '../../../platform/retry/poll.ts';
import type { BrokerRetry } from '../client/broker-retry.ts';
import { KafkaCodeError } from '../client/errors.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Broker } from '../client/kafkajs-internals.ts';
import type { BusLog } from '../kafka-options.ts';
import type { OpenTransaction, Place } from '../wire/describe-producers.ts';
import { describeTransactionCall } from '../wire/describe-transaction.ts';
import type { PartitionReader } from '../wire/partition-reader.ts';
import { TRANSACTION_MS, type Written } from './transactional-producer.ts';

/** All partitions of a topic. */
export const listPartitions = (topic: string, partitions: number): Place[] =>
  Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));

export interface HangingPorts {
  readonly client: KafkaClient;
  readonly brokerRetry: BrokerRetry;
  readonly reader: PartitionReader;
  readonly log: BusLog;
  readonly transactionalId: string;
}

/** A committed transaction is still open in a partition: its readers wait. */
export class HangingTransactionError extends ConflictError {
  constructor({ topic, partition, from }: OpenTransaction, ms: number) {
    super(`${topic}, lane ${partition}: what was committed hangs at offset ${from}, open for ${ms} ms`);
  }
}

const TRANSACTION_COORDINATOR = 1;
/** The id is not known, or may not be asked for. */
const UNKNOWN_ID_CODES = new Set([105, 53]);
/** Decided on, whether the markers are on their way or counted as written: a producer that takes the id waits for the former. */
const OUTCOMES: Readonly<Record<string, boolean | null>> = {
  PrepareCommit: true,
  CompleteCommit: true,
  PrepareAbort: false,
  CompleteAbort: false,
};
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 250;

/**
 * Transactions of one id that the coordinator has ended, but that are open in partitions: a killed and restarted broker
 * may lose end markers, in all partitions or in some. The partitions' leaders list open transactions by producer, since
 * other producers may have open ones too.
 */
export class HangingTransaction {
  readonly #ports: HangingPorts;
  /** True if the id's last transaction was committed; null if unknown. */
  #committed: boolean | null = null;
  /** Id of the producer; null before it is known. */
  #producerId: number | null = null;

  constructor(ports: HangingPorts) {
    this.#ports = ports;
  }

  /**
   * Aborts or commits hanging transactions before a new producer takes over the id. The coordinator's outcome is read
   * before the id is taken, since the coordinator forgets it then. The last user of the id is fenced if something
   * hangs.
   */
  async end(places: readonly Place[]): Promise<void> {
    await this.#withCoordinator(async (coordinator) => {
      await this.#ask(coordinator);
      if (this.#committed !== null && (await this.open(places)).length > 0)
        await this.#endAs(coordinator, places, this.#committed);
      this.#committed = null;
    });
  }

  /** Ends what is open in these partitions by an outcome that is known. The id is taken for it. */
  endAs(places: readonly Place[], committed: boolean): Promise<void> {
    return this.#withCoordinator((coordinator) => this.#endAs(coordinator, places, committed));
  }

  /** Open transactions of the id in these partitions. */
  async open(places: readonly Place[]): Promise<OpenTransaction[]> {
    if (this.#producerId === null) await this.#withCoordinator((coordinator) => this.#describe(coordinator));
    const open = await this.#ports.reader.openTransactions(places);
    return open.filter(({ producerId }) => producerId === this.#producerId);
  }

  /**
   * Resolves when the transaction that was just committed is ended wherever it wrote: the next one of the producer would
   * end it by its own outcome. @throws HangingTransactionError when that is not seen for as long as others wait for it
   */
  async ended(written: readonly Written[]): Promise<void> {
    const { settleMs } = this.#ports.brokerRetry;
    let hanging: OpenTransaction | undefined;
    const isEnded = async () => {
      const open = await this.open(written);
      hanging = open.find((one) => written.some((place) => isSameTransaction(one, place)));
      return hanging === undefined;
    };
    const begun = performance.now();
    await pollFor(isEnded, settleMs, { everyMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS });
    if (hanging) throw new HangingTransactionError(hanging, Math.round(performance.now() - begun));
  }

  async #describe(coordinator: Broker) {
    const { transactionalId } = this.#ports;
    const found = await coordinator.connectionPool.send(describeTransactionCall(transactionalId));
    const { code, producerId } = found;
    if (code !== 0 && !UNKNOWN_ID_CODES.has(code))
      throw new KafkaCodeError(`transaction of ${transactionalId}`, code);
    this.#producerId = code === 0 ? producerId : null;
    return found;
  }

  async #ask(coordinator: Broker): Promise<void> {
    const { state } = await this.#describe(coordinator);
    // Taken by an earlier, unfinished attempt of this producer: the known outcome is still valid.
    if (state !== 'Empty') this.#committed = OUTCOMES[state] ?? null;
  }

  /** Under a new epoch: no other transaction of this id is open, and what is open hangs. */
  async #endAs(coordinator: Broker, places: readonly Place[], committed: boolean): Promise<void> {
    const { transactionalId, log } = this.#ports;
    const { producerId, producerEpoch } = await coordinator.initProducerId({
      transactionalId,
      transactionTimeout: TRANSACTION_MS,
    });
    // A new producer id after tens of thousands of epochs: hanging transactions of the old one cannot be ended any
    // more.
    this.#producerId = Number(producerId);
    const open = await this.open(places);
    if (open.length === 0) return;
    const topics = [...Map.groupBy(open, ({ topic }) => topic)].map(([topic, its]) => ({
      topic,
      partitions: its.map(({ partition }) => partition),
    }));
    const owner = { transactionalId, producerId, producerEpoch };
    await coordinator.addPartitionsToTxn({ ...owner, topics });
    await coordinator.endTxn({ ...owner, transactionResult: committed });
    log.warn({ transactionalId, committed, topics }, 'ended a transaction that hung at the brokers');
  }

  async #withCoordinator<Result>(work: (coordinator: Broker) => Promise<Result>): Promise<Result> {
    const cluster = this.#ports.client.cluster();
    try {
      await cluster.connect();
      const coordinator = await cluster.findGroupCoordinator({
        groupId: this.#ports.transactionalId,
        coordinatorType: TRANSACTION_COORDINATOR,
      });
      return await work(coordinator);
    } finally {
      void cluster.disconnect().catch(() => {});
    }
  }
}

/** A transaction that begins after the written records is a later one of the id's new owner. */
const isSameTransaction = (open: OpenTransaction, { topic, partition, first }: Written) =>
  open.topic === topic && open.partition === partition && open.from <= first;
