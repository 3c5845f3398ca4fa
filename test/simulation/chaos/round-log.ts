import { createHash } from 'node:crypto';
import kafkajs from 'kafkajs';
import { BASE } from '../../../pipelines/base.ts';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { openDeadLetters } from '../../../src/engine/dead-letters/dead-letter-list.ts';
import { readGroupLag } from '../../../src/engine/status/group-lag.ts';
import type { Bus, LogIdentity, LogRecord } from '../../../src/log/port.ts';
import { PUBLISHED } from '../../../src/projections/publish/published.ts';
import { readCommitted } from '../../helpers/kafka-reader.ts';
import type { Picture } from '../common/store-picture.ts';
import { readLane } from './deliver-again.ts';

/** Projections that `decode` writes. */
const DECODED = PROJECTIONS.filter(({ isWrittenByServers }) => !isWrittenByServers);
const hex = (bytes: Uint8Array | null) => (bytes === null ? '' : Buffer.from(bytes).toString('hex'));

/** Location of a round's log. */
export interface RoundPlace {
  readonly openBus: () => Promise<Bus>;
  /** Null: the embedded log. */
  readonly kafka: {
    readonly brokers: readonly string[];
    readonly prefix: string;
    readonly lanes: number;
  } | null;
  /** True if servers run, which detect contracts. */
  readonly hasServers: boolean;
}

/** The log of one round, looked at from outside. */
export class RoundLog {
  readonly #place: RoundPlace;
  readonly #bus: Bus;

  private constructor(place: RoundPlace, bus: Bus) {
    this.#place = place;
    this.#bus = bus;
  }

  static async open(place: RoundPlace): Promise<RoundLog> {
    return new RoundLog(place, await place.openBus());
  }

  /** Whether the round has typed topics. */
  get hasTopics(): boolean {
    return this.#place.kafka !== null;
  }

  /** Whether every group has committed every lane to its end, and every fed topic has all of its steps. */
  async isConsumed(): Promise<boolean> {
    // One group a projection, and `publish` on Kafka.
    const groups = this.#written.length + (this.#place.kafka ? 1 : 0);
    return (await this.hasGroups(groups)) && (await this.behind()) === '';
  }

  /** Projections that the stages write. */
  get #written(): typeof PROJECTIONS {
    return this.#place.hasServers ? PROJECTIONS : DECODED;
  }

  /** Whether so many groups read the log. */
  async hasGroups(count: number): Promise<boolean> {
    return new Set((await readGroupLag(this.#bus)).map(({ group }) => group)).size >= count;
  }

  /** The typed topics as a reader of committed records finds them: each record once, its key and its value. */
  async typedTopics(): Promise<Picture> {
    const facts: Record<string, string> = {};
    const { kafka } = this.#place;
    if (!kafka) return facts;
    for (const { topic } of PUBLISHED) {
      const records = await readCommitted(kafka, topic, kafka.lanes);
      const hash = createHash('sha256');
      for (const text of records.map(({ key, value }) => `${key} ${hex(value)}`).sort()) hash.update(text);
      const keys = new Set(records.map(({ key }) => key)).size;
      facts[`topic ${topic}`] = `${records.length} rows, ${keys} keys, ${hash.digest('hex')}`;
    }
    return facts;
  }

  /** Feeds and commits that still lag, as text. */
  async behind(): Promise<string> {
    // Feeds first: the lag of a topic's readers is known after its last step.
    const parts = [await this.#unfed(), await this.left()];
    return parts.filter((part) => part !== '').join(', ');
  }

  /** Lanes that the groups have not committed to their end yet, as text. */
  async left(): Promise<string> {
    return (await readGroupLag(this.#bus))
      .filter(({ committed, end }) => committed !== end)
      .map(({ group, lane, committed, end, owner }) => `${group} lane ${lane} ${committed}/${end} (${owner})`)
      .join(', ');
  }

  /**
   * Topics that lag after the one that their projection reads: a feed appends some time after its projection's commit.
   */
  async #unfed(): Promise<string> {
    const unfed: string[] = [];
    for (const { reads, feeds } of PROJECTIONS) {
      if (!feeds || !this.#written.some((projection) => projection.reads === feeds.topic)) continue;
      const [fed, read] = [await this.#bus.highest(feeds.topic), await this.#bus.highest(reads)];
      if (fed !== read) unfed.push(`feed of ${feeds.topic} ${fed}/${read}`);
    }
    return unfed.join(', ');
  }

  /** All records, lane after lane. */
  async records(): Promise<LogRecord[]> {
    const bounds = await this.#bus.bounds(BASE.reads);
    return (
      await Promise.all(bounds.map(({ lane, first }) => readLane(this.#bus, BASE.reads, lane, first)))
    ).flat();
  }

  /** True if servers run, which detect contracts. */
  get hasServers(): boolean {
    return this.#place.hasServers;
  }

  get bus(): Bus {
    return this.#bus;
  }

  async identity(): Promise<LogIdentity> {
    const identity = await this.#bus.identity();
    if (!identity) throw new Error('the log has no identity');
    return identity;
  }

  async deadLetters(): Promise<number> {
    return (await openDeadLetters(this.#bus)).length;
  }

  /** Closes it and deletes its topics. */
  async remove(): Promise<void> {
    await this.#bus.close();
    const { kafka } = this.#place;
    if (!kafka) return;
    const { brokers, prefix } = kafka;
    const admin = new kafkajs.Kafka({ brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${prefix}.`));
      await admin.deleteTopics({ topics });
    } finally {
      await admin.disconnect();
    }
  }
}
