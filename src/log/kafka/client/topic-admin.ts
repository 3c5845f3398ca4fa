import kafkajs, { type Admin } from 'kafkajs';
import { ConflictError } from '../../../platform/errors/error-kinds.ts';
import type { TopicSpec } from '../topic-settings.ts';
import { type BrokerRetry, Final } from './broker-retry.ts';
import type { KafkaClient } from './kafka-client.ts';
import { Reconnecting } from './reconnecting.ts';

const CREATE_MS = 30_000;

/** A topic of this name has other partitions than the log needs: another program created or changed it. */
export class TopicMismatchError extends ConflictError {
  readonly topic: string;
  readonly expected: number;
  readonly found: number;
  constructor(topic: string, expected: number, found: number) {
    super(`topic ${topic}: expected ${expected} partitions, found ${found}`);
    this.topic = topic;
    this.expected = expected;
    this.found = found;
  }
}

export interface TopicDescription {
  readonly partitions: number;
  /** Copies of the partition that has the fewest. */
  readonly copies: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** Makes topics and deletes their records. */
export class TopicAdmin {
  readonly #retry: BrokerRetry;
  readonly #admin: Reconnecting<Admin>;
  readonly #replicationFactor: number;

  constructor(client: KafkaClient, brokerRetry: BrokerRetry, replicationFactor: number | undefined) {
    this.#retry = brokerRetry;
    // −1 leaves it to the brokers.
    this.#replicationFactor = replicationFactor ?? -1;
    this.#admin = new Reconnecting(
      async () => {
        const admin = client.admin();
        await admin.connect();
        return admin;
      },
      (admin) => admin.disconnect(),
    );
  }

  /** Makes the topics that are missing. @throws TopicMismatchError */
  async ensure(specs: readonly TopicSpec[]): Promise<void> {
    const operation = `creating ${specs.map(({ topic }) => topic).join(', ')}`;
    await this.#retry.run(operation, () =>
      this.#admin.use(async (admin) => {
        await admin.createTopics({
          waitForLeaders: true,
          timeout: CREATE_MS,
          topics: specs.map(this.#config),
        });
        const { topics } = await admin.fetchTopicMetadata({ topics: specs.map(({ topic }) => topic) });
        for (const { topic, partitions } of specs) {
          const found = topics.find(({ name }) => name === topic)?.partitions.length ?? 0;
          if (found !== partitions) throw new Final(new TopicMismatchError(topic, partitions, found));
        }
      }),
    );
  }

  /** Metadata of a topic. */
  async describe(topic: string): Promise<TopicDescription> {
    return this.#retry.run(`settings of ${topic}`, () =>
      this.#admin.use(async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
        const partitions = topics[0]?.partitions ?? [];
        const { resources } = await admin.describeConfigs({
          includeSynonyms: false,
          resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }],
        });
        const entries = resources[0]?.configEntries ?? [];
        return {
          partitions: partitions.length,
          copies: Math.min(...partitions.map(({ replicas }) => replicas.length)),
          settings: Object.fromEntries(
            entries.map(({ configName, configValue }) => [configName, configValue]),
          ),
        };
      }),
    );
  }

  /** Deletes what lies before the offset given for each partition. */
  async deleteBefore(topic: string, offsets: ReadonlyMap<number, number>): Promise<void> {
    if (offsets.size === 0) return;
    const partitions = [...offsets].map(([partition, offset]) => ({ partition, offset: String(offset) }));
    await this.#retry.run(`trimming ${topic}`, () =>
      this.#admin.use(async (admin) => {
        // kafkajs looks for the partitions' leaders before it has asked for the topic.
        await admin.fetchTopicOffsets(topic);
        await admin.deleteTopicRecords({ topic, partitions });
      }),
    );
  }

  close(): Promise<void> {
    return this.#admin.close();
  }

  readonly #config = ({ topic, partitions, settings }: TopicSpec) => ({
    topic,
    numPartitions: partitions,
    replicationFactor: this.#replicationFactor,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  });
}
