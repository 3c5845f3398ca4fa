import kafkajs, { type Message, type Producer } from 'kafkajs';
import type { BrokerRetry } from './broker-retry.ts';
import type { KafkaClient } from './kafka-client.ts';
import { Reconnecting } from './reconnecting.ts';

/** Appends records to partition 0 of a topic, outside of transactions; all copies have them when a call resolves. */
export class RecordSender {
  readonly #retry: BrokerRetry;
  readonly #producer: Reconnecting<Producer>;

  constructor(client: KafkaClient, brokerRetry: BrokerRetry) {
    this.#retry = brokerRetry;
    this.#producer = new Reconnecting(
      async () => {
        const producer = client.producer();
        await producer.connect();
        return producer;
      },
      (producer) => producer.disconnect(),
    );
  }

  /**
   * Returns the offset of the first. If a broker's answer is lost they are sent again, so the log may contain them
   * twice.
   */
  send(topic: string, messages: readonly Message[], compressed: boolean): Promise<number> {
    const { None, ZSTD } = kafkajs.CompressionTypes;
    return this.#retry.run(`append to ${topic}`, () =>
      this.#producer.use(async (producer) => {
        const [sent] = await producer.send({
          topic,
          acks: -1,
          compression: compressed ? ZSTD : None,
          messages: messages.map((message) => ({ ...message, partition: 0 })),
        });
        if (sent?.baseOffset === undefined) throw new Error(`${topic}: the broker named no offset`);
        return Number(sent.baseOffset);
      }),
    );
  }

  close(): Promise<void> {
    return this.#producer.close();
  }
}
