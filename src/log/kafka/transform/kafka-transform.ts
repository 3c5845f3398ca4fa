import { randomUUID } from 'node:crypto';
import { checkLease } from '../../coordination/lane-rights.ts';
import { FencedError, InvalidRequestError } from '../../errors.ts';
import type {
  LaneLease,
  LaneTransform,
  OutputRecord,
  TransformOptions,
  TransformProgress,
} from '../../port.ts';
import { Final } from '../client/broker-retry.ts';
import { readEnd } from '../consumer/kafka-consumer.ts';
import type { KafkaParts } from '../kafka-parts.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import type { Place } from '../wire/describe-producers.ts';
import { HangingTransaction, listPartitions } from '../writer/hanging-transaction.ts';
import { sendInTransaction, TransactionalProducer } from '../writer/transactional-producer.ts';
import { readProgress } from './progress-record.ts';
import { checkOutputs, sendOutputs } from './send-outputs.ts';

export interface TransformPorts extends KafkaParts {
  readonly topic: StepsTopic;
}

/** Interval of progress reports to the group: lag and retention use them, the next owner does not. */
const SETTLE_MS = 1_000;

/**
 * Records and progress are one transaction, under an id of (topic, group, lane). As with a topic's writer there are two
 * fences, always in this order: lease, id, lease check. So a member that takes the lease later takes the id later, and
 * finds the settled progress of the member before it. While a transaction is open, no part of it waits for the control
 * log.
 */
export class KafkaTransform implements LaneTransform {
  readonly #ports: TransformPorts;
  readonly #options: TransformOptions;
  readonly #lease: LaneLease;
  readonly #operation: string;
  readonly #transactionalId: string;
  readonly #hanging: HangingTransaction;
  /** Where its transactions may write. */
  readonly #places: readonly Place[];
  #producer: TransactionalProducer | null = null;
  #progress: TransformProgress;
  #settled: number;
  #settledAt = Number.NEGATIVE_INFINITY;
  /** Calls follow one another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: TransformPorts, options: TransformOptions, lease: LaneLease) {
    this.#ports = ports;
    this.#options = options;
    this.#lease = lease;
    this.#operation = `${options.group} of ${options.topic}, lane ${lease.lane}`;
    this.#progress = { next: lease.committed, note: '' };
    this.#settled = lease.committed;
    const { settings } = ports;
    const { topic, group, outputs } = options;
    this.#transactionalId = settings.laneId(topic, group, lease.lane);
    this.#hanging = new HangingTransaction({ ...ports, transactionalId: this.#transactionalId });
    this.#places = [
      { topic: settings.progress(topic, group), partition: lease.lane },
      ...outputs.flatMap((name) => listPartitions(settings.data(name), ports.topic.lanes)),
    ];
  }

  get progress(): TransformProgress {
    return this.#progress;
  }

  /** Takes the lane's id, and then reads how far the lane is. */
  async open(): Promise<void> {
    const found = await this.#ports.brokerRetry.run(this.#operation, async () => {
      try {
        if (!this.#producer) await this.#takeId();
        return await this.#stored();
      } catch (error) {
        await this.#dropProducer();
        throw error;
      }
    });
    if (found) this.#progress = { next: found.next, note: found.note };
  }

  write(records: readonly OutputRecord[], progress: TransformProgress): Promise<void> {
    return this.#inTurn('write', () => this.#write(records, progress));
  }

  settle(): Promise<void> {
    return this.#inTurn('settle', () => this.#settle());
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#dropProducer();
  }

  #inTurn(what: string, call: () => Promise<void>): Promise<void> {
    const { gate } = this.#ports;
    const running = this.#turn.then(() => gate.run(`${what}: ${this.#operation}`, call));
    this.#turn = running.catch(() => {});
    return running;
  }

  async #write(records: readonly OutputRecord[], progress: TransformProgress): Promise<void> {
    this.#check(records, progress);
    const id = randomUUID();
    let tried = false;
    await this.#ports.brokerRetry.run(`write: ${this.#operation}`, async () => {
      try {
        const producer = this.#producer ?? (await this.#takeId());
        // The first try may have been committed, and only its answer lost, or its end in a partition not seen.
        if (tried && (await this.#stored())?.transaction === id) return;
        tried = true;
        await this.#transact(producer, records, progress, id);
      } catch (error) {
        await this.#dropProducer();
        if (!(error instanceof Final)) await this.#requireLease();
        throw error;
      }
    });
    this.#progress = progress;
    if (performance.now() - this.#settledAt >= SETTLE_MS) await this.#settle();
  }

  async #transact(
    producer: TransactionalProducer,
    records: readonly OutputRecord[],
    { next, note }: TransformProgress,
    id: string,
  ): Promise<void> {
    const { settings } = this.#ports;
    const { topic, group } = this.#options;
    const transaction = await producer.begin();
    const outputs = await sendOutputs(transaction, records, settings);
    const { lane } = this.#lease;
    const value = JSON.stringify({ v: 1, next, note, transaction: id });
    const progress = await sendInTransaction(transaction, settings.progress(topic, group), [
      { partition: lane, key: String(lane), value },
    ]);
    await transaction.commit();
    await this.#hanging.ended([...outputs, ...progress]);
  }

  async #settle(): Promise<void> {
    const { next } = this.#progress;
    this.#settledAt = performance.now();
    if (next <= this.#settled) return;
    const { control, topic } = this.#ports;
    const end = await readEnd(topic, this.#lease.lane, next);
    await control.execute('commit', { ...this.#right(), next, end });
    this.#settled = next;
  }

  #check(records: readonly OutputRecord[], { next }: TransformProgress): void {
    if (!Number.isSafeInteger(next) || next <= this.#progress.next)
      throw new InvalidRequestError(
        this.#operation,
        `progress beyond offset ${this.#progress.next}`,
        String(next),
      );
    checkOutputs(this.#operation, records, this.#options.outputs, this.#ports.topic.lanes);
  }

  #stored() {
    const { reader, settings } = this.#ports;
    const { topic, group } = this.#options;
    return readProgress(reader, settings.progress(topic, group), this.#lease.lane);
  }

  #right() {
    const { topic, group } = this.#options;
    const { owner, lane, generation } = this.#lease;
    return { topic, group, owner, lane, generation };
  }

  async #takeId(): Promise<TransactionalProducer> {
    await this.#hanging.end(this.#places);
    const producer = await TransactionalProducer.open(this.#ports.client, this.#transactionalId);
    try {
      await this.#requireLease();
    } catch (error) {
      await producer.close();
      throw error;
    }
    this.#producer = producer;
    return producer;
  }

  /** Fenced, or only disconnected: the lease decides. @throws Final of `FencedError` */
  async #requireLease(): Promise<void> {
    const { control } = this.#ports;
    await control.fresh(this.#operation);
    try {
      checkLease(control.state, this.#right());
    } catch (error) {
      throw error instanceof FencedError ? new Final(error) : error;
    }
  }

  async #dropProducer(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.close();
  }
}
