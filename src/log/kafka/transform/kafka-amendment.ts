import type { Amendment, NewRecord, OutputRecord, TransformOptions } from '../../port.ts';
import type { KafkaParts } from '../kafka-parts.ts';
import { sendInTransaction, TransactionalProducer } from '../writer/transactional-producer.ts';
import { checkOutputs, sendOutputs } from './send-outputs.ts';

/** Fenced by its transactional id alone, one for the group: no lane's progress has to do with it. */
export class KafkaAmendment implements Amendment {
  readonly #parts: KafkaParts;
  readonly #options: TransformOptions;
  readonly #partitions: number;
  readonly #producer: TransactionalProducer;

  private constructor(
    parts: KafkaParts,
    options: TransformOptions,
    partitions: number,
    producer: TransactionalProducer,
  ) {
    this.#parts = parts;
    this.#options = options;
    this.#partitions = partitions;
    this.#producer = producer;
  }

  static async open(
    parts: KafkaParts,
    options: TransformOptions,
    partitions: number,
  ): Promise<KafkaAmendment> {
    const id = parts.settings.amendmentId(options.topic, options.group);
    const producer = await parts.brokerRetry.run(`amendment of ${options.topic}`, () =>
      TransactionalProducer.open(parts.client, id),
    );
    return new KafkaAmendment(parts, options, partitions, producer);
  }

  write(records: readonly OutputRecord[], done: NewRecord & { readonly topic: string }): Promise<void> {
    const { gate, settings, registry } = this.#parts;
    const operation = `amendment of ${this.#options.topic}`;
    return gate.run(operation, async () => {
      checkOutputs(operation, records, this.#options.outputs, this.#partitions);
      const { topic, key, headers, value } = done;
      await registry.ensure(topic, 'records');
      const transaction = await this.#producer.begin();
      await sendOutputs(transaction, records, settings);
      await sendInTransaction(transaction, settings.data(topic), [
        { partition: 0, key, headers: { ...headers }, value: Buffer.from(value) },
      ]);
      await transaction.commit();
    });
  }

  close(): Promise<void> {
    return this.#producer.close();
  }
}
