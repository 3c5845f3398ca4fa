import type { Amendment, AmendmentOptions, NewRecord, OutputRecord } from '../../port.ts';
import type { KafkaParts } from '../kafka-parts.ts';
import { HangingTransaction, listPartitions } from '../writer/hanging-transaction.ts';
import { sendInTransaction, TransactionalProducer } from '../writer/transactional-producer.ts';
import { checkOutputs, sendOutputs } from './send-outputs.ts';

interface Owned {
  readonly producer: TransactionalProducer;
  readonly hanging: HangingTransaction;
}

/** Fenced only by its transactional id, one for the group: no lane's progress is involved. */
export class KafkaAmendment implements Amendment {
  readonly #parts: KafkaParts;
  readonly #options: AmendmentOptions;
  readonly #partitions: number;
  readonly #owned: Owned;

  private constructor(parts: KafkaParts, options: AmendmentOptions, partitions: number, owned: Owned) {
    this.#parts = parts;
    this.#options = options;
    this.#partitions = partitions;
    this.#owned = owned;
  }

  static async open(
    parts: KafkaParts,
    options: AmendmentOptions,
    partitions: number,
  ): Promise<KafkaAmendment> {
    const { client, settings, brokerRetry } = parts;
    const transactionalId = settings.amendmentId(options.topic, options.group);
    const hanging = new HangingTransaction({ ...parts, transactionalId });
    const places = [
      ...listPartitions(settings.data(options.done), 1),
      ...options.outputs.flatMap((name) => listPartitions(settings.data(name), partitions)),
    ];
    const producer = await brokerRetry.run(`amendment of ${options.topic}`, async () => {
      await hanging.end(places);
      return TransactionalProducer.open(client, transactionalId);
    });
    return new KafkaAmendment(parts, options, partitions, { producer, hanging });
  }

  write(records: readonly OutputRecord[], { key, headers, value }: NewRecord): Promise<void> {
    const { gate, settings } = this.#parts;
    const { producer, hanging } = this.#owned;
    const operation = `amendment of ${this.#options.topic}`;
    return gate.run(operation, async () => {
      checkOutputs(operation, records, this.#options.outputs, this.#partitions);
      const transaction = await producer.begin();
      const outputs = await sendOutputs(transaction, records, settings);
      const done = await sendInTransaction(transaction, settings.data(this.#options.done), [
        { partition: 0, key, headers: { ...headers }, value: Buffer.from(value) },
      ]);
      await transaction.commit();
      await hanging.ended([...outputs, ...done]);
    });
  }

  close(): Promise<void> {
    return this.#owned.producer.close();
  }
}
