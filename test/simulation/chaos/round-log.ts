import kafkajs from 'kafkajs';
import { DECODE } from '../../../pipelines/decode.ts';
import { openDeadLetters } from '../../../src/cli/wiring/dead-letter-list.ts';
import { createKafkaBus } from '../../../src/platform/bus/kafka/kafka-bus.ts';
import type { Bus, LogRecord } from '../../../src/platform/bus/port.ts';
import { readLane } from './deliver-again.ts';

/** The log of one round, looked at from outside. */
export class RoundLog {
  readonly #brokers: readonly string[];
  readonly #prefix: string;
  readonly #bus: Bus;

  private constructor(brokers: readonly string[], prefix: string, bus: Bus) {
    this.#brokers = brokers;
    this.#prefix = prefix;
    this.#bus = bus;
  }

  static async open(brokers: readonly string[], prefix: string): Promise<RoundLog> {
    return new RoundLog(brokers, prefix, await createKafkaBus({ brokers, prefix }));
  }

  /** Whether the group has committed every lane to its end. */
  async isDecoded(): Promise<boolean> {
    const lag = (await this.#bus.lag()).filter(({ group }) => group === DECODE.group);
    return lag.length > 0 && lag.every(({ committed, end }) => committed === end);
  }

  /** All records, lane after lane. */
  async records(): Promise<LogRecord[]> {
    const bounds = await this.#bus.bounds(DECODE.topic);
    return (await Promise.all(bounds.map(({ lane, first }) => readLane(this.#bus, lane, first)))).flat();
  }

  async deadLetters(): Promise<number> {
    return (await openDeadLetters(this.#bus)).length;
  }

  /** Closes it and deletes its topics. */
  async remove(): Promise<void> {
    await this.#bus.close();
    const kafka = new kafkajs.Kafka({
      brokers: [...this.#brokers],
      logLevel: kafkajs.logLevel.NOTHING,
    });
    const admin = kafka.admin();
    await admin.connect();
    try {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${this.#prefix}.`));
      await admin.deleteTopics({ topics });
    } finally {
      await admin.disconnect();
    }
  }
}
