import kafkajs, { type Message, type Producer, type Transaction } from 'kafkajs';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Place } from '../wire/describe-producers.ts';

/** A transaction of a dead writer ends after this at the latest; one of a writer that is replaced, at once. */
export const TRANSACTION_MS = 60_000;

/** A partition that a transaction wrote to, and the offset of its first message there. */
export interface Written extends Place {
  readonly first: number;
}

/**
 * A producer with a transactional id. Opening it ends the open transaction of an earlier producer with the same id, and
 * fences that producer: the brokers refuse its later requests. After any error it must be discarded, since kafkajs does
 * not know the state of the transaction.
 */
export class TransactionalProducer {
  readonly #producer: Producer;

  private constructor(producer: Producer) {
    this.#producer = producer;
  }

  static async open(client: KafkaClient, id: string): Promise<TransactionalProducer> {
    const producer = client.producer({ id, timeoutMs: TRANSACTION_MS });
    try {
      await producer.connect();
      // kafkajs takes the id at the first transaction; this one holds nothing and costs no request.
      await (await producer.transaction()).abort();
      return new TransactionalProducer(producer);
    } catch (error) {
      void producer.disconnect().catch(() => {});
      throw error;
    }
  }

  begin(): Promise<Transaction> {
    return this.#producer.transaction();
  }

  async close(): Promise<void> {
    await this.#producer.disconnect().catch(() => {});
  }
}

/** Sends messages in a transaction; answers their first offset in each partition. */
export async function sendInTransaction(
  transaction: Transaction,
  topic: string,
  messages: readonly Message[],
): Promise<Written[]> {
  const sent = await transaction.send({
    topic,
    acks: -1,
    compression: kafkajs.CompressionTypes.ZSTD,
    messages: [...messages],
  });
  return sent.map(({ partition, baseOffset }) => ({ topic, partition, first: Number(baseOffset) }));
}
