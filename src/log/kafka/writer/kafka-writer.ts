import { randomUUID } from 'node:crypto';
import { checkWriter } from '../../coordination/apply-writer.ts';
import type { Lease, LogIdentity, LogRecord, LogWriter, NewStep } from '../../port.ts';
import { type BrokerRetry, Final } from '../client/broker-retry.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { ControlLog } from '../control/control-log.ts';
import type { BusLog } from '../kafka-options.ts';
import type { StepsTopic } from '../topics/steps-topic.ts';
import type { PartitionReader } from '../wire/partition-reader.ts';
import { appendInTransaction } from './append-transaction.ts';
import { checkSteps } from './check-steps.ts';
import { endHangingLanes } from './hanging-lanes.ts';
import { HangingTransaction } from './hanging-transaction.ts';
import { TransactionalProducer } from './transactional-producer.ts';

export interface WriterPorts {
  readonly client: KafkaClient;
  readonly brokerRetry: BrokerRetry;
  readonly reader: PartitionReader;
  readonly log: BusLog;
  readonly control: ControlLog;
  readonly topic: StepsTopic;
  readonly indexTopic: string;
  readonly transactionalId: string;
  readonly identity: LogIdentity;
}

/**
 * The writer of a topic. It has two fences: the lease in the control log says who may write, and the transactional id
 * makes the brokers refuse all others. The order is always lease, id, lease check. So a writer that takes the lease
 * later takes the id later, too.
 */
export class KafkaWriter implements LogWriter {
  readonly lease: Lease;
  readonly #ports: WriterPorts;
  readonly #sessionMs: number;
  readonly #hanging: HangingTransaction;
  #producer: TransactionalProducer | null = null;
  /** Appends follow one another. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ports: WriterPorts, lease: Lease, sessionMs: number) {
    this.#ports = ports;
    this.lease = lease;
    this.#sessionMs = sessionMs;
    this.#hanging = new HangingTransaction(ports);
  }

  /** Takes the transactional id: from here on no earlier writer can add anything. */
  async open(): Promise<void> {
    const { brokerRetry, topic } = this.#ports;
    const operation = `writer of ${topic.name}`;
    await brokerRetry.run(operation, async () => {
      try {
        await this.#takeId(operation);
      } catch (error) {
        await this.#dropProducer();
        throw error;
      }
    });
  }

  async tail(): Promise<LogRecord | null> {
    const { control, topic } = this.#ports;
    const operation = `tail of ${topic.name}`;
    await Promise.all([control.fresh(operation), topic.fresh(operation)]);
    checkWriter(control.state, { topic: topic.name, ...this.lease });
    const { tail } = topic.index;
    if (!tail) return null;
    return (await topic.read(tail.lane, tail.offset, { records: 1, bytes: 1 }))[0] ?? null;
  }

  append(steps: readonly NewStep[]): Promise<void> {
    const appending = this.#turn.then(() => this.#append(steps));
    this.#turn = appending.catch(() => {});
    return appending;
  }

  async release(): Promise<void> {
    await this.#turn;
    const { control, topic } = this.#ports;
    await control.execute('releaseWriter', { topic: topic.name, ...this.lease });
    await this.#dropProducer();
  }

  async #append(steps: readonly NewStep[]): Promise<void> {
    const { identity, brokerRetry, topic } = this.#ports;
    checkSteps(topic.name, identity, steps);
    if (steps.length === 0) return this.#renew();
    const append = randomUUID();
    const operation = `append to ${topic.name}`;
    let tried = false;
    await brokerRetry.run(operation, async () => {
      try {
        const producer = this.#producer ?? (await this.#takeId(operation));
        // The first try may have been committed, and only its answer lost, or its end in the index or a lane not seen.
        if (tried && topic.index.tail?.append === append) return;
        tried = true;
        await this.#appendOnce(producer, steps, append);
      } catch (error) {
        await this.#dropProducer();
        // Fenced, or only disconnected: the lease decides.
        await this.#renew().catch((refused: unknown) => {
          throw new Final(refused);
        });
        throw error;
      }
    });
  }

  async #appendOnce(
    producer: TransactionalProducer,
    steps: readonly NewStep[],
    append: string,
  ): Promise<void> {
    const { topic, indexTopic } = this.#ports;
    const { indexed, lanes } = await appendInTransaction({
      transaction: await producer.begin(),
      topic,
      indexTopic,
      steps,
      append,
      allowed: this.#renew(),
    });
    await topic.indexed(indexed, `append to ${topic.name}`);
    await this.#hanging.ended(lanes);
  }

  /** @throws FencedError */
  async #renew(): Promise<void> {
    const { control, topic } = this.#ports;
    await control.execute('renewWriter', {
      topic: topic.name,
      ...this.lease,
      sessionMs: this.#sessionMs,
    });
  }

  /** Takes the transactional id, and reads in the index what was committed under it before. */
  async #takeId(operation: string): Promise<TransactionalProducer> {
    const { topic, indexTopic } = this.#ports;
    await this.#hanging.end([{ topic: indexTopic, partition: 0 }]);
    const producer = await this.#openProducer();
    await topic.settled(operation);
    if (!(await endHangingLanes(this.#hanging, topic))) return producer;
    await this.#dropProducer();
    return this.#openProducer();
  }

  /** A producer with the id, while the lease holds. */
  async #openProducer(): Promise<TransactionalProducer> {
    const { client, transactionalId } = this.#ports;
    const producer = await TransactionalProducer.open(client, transactionalId);
    this.#producer = producer;
    try {
      await this.#renew();
    } catch (error) {
      throw new Final(error);
    }
    return producer;
  }

  async #dropProducer(): Promise<void> {
    const producer = this.#producer;
    this.#producer = null;
    await producer?.close();
  }
}
