import type { TopicState } from '../../coordination/coordination-state.ts';
import { LogNotEstablishedError } from '../../errors.ts';
import type { LogIdentity, TopicKind } from '../../port.ts';
import type { BrokerRetry } from '../client/broker-retry.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { TopicAdmin } from '../client/topic-admin.ts';
import type { ControlLog } from '../control/control-log.ts';
import type { TopicSettings } from '../topic-settings.ts';
import type { PartitionReader } from '../wire/partition-reader.ts';
import { RecordsTopic } from './records-topic.ts';
import { StepsTopic } from './steps-topic.ts';

export interface RegistryPorts {
  readonly client: KafkaClient;
  readonly brokerRetry: BrokerRetry;
  readonly admin: TopicAdmin;
  readonly reader: PartitionReader;
  readonly control: ControlLog;
  readonly settings: TopicSettings;
}

export type OpenTopic = StepsTopic | RecordsTopic;

/** The topics of this process: each is created in Kafka if missing, and opened once. */
export class TopicRegistry {
  readonly #ports: RegistryPorts;
  readonly #open = new Map<string, Promise<OpenTopic>>();

  constructor(ports: RegistryPorts) {
    this.#ports = ports;
  }

  /** The topic, created if new. A kind of null accepts any kind, or creates a topic of steps. */
  async ensure(name: string, kind: TopicKind | null): Promise<OpenTopic> {
    const known = this.#ports.control.state.topics.get(name);
    if (!known || (kind && known.kind !== kind)) await this.#ports.control.execute('topic', { name, kind });
    return this.#opened(this.#ports.control.state.topics.get(name) as TopicState);
  }

  async ensureSteps(name: string): Promise<StepsTopic> {
    return (await this.ensure(name, 'steps')) as StepsTopic;
  }

  /** The topic, or null if it does not exist. */
  async find(name: string): Promise<OpenTopic | null> {
    const { control } = this.#ports;
    if (!control.state.topics.has(name)) await control.fresh(`looking for ${name}`);
    const known = control.state.topics.get(name);
    return known ? this.#opened(known) : null;
  }

  /** @throws LogNotEstablishedError */
  async requireIdentity(): Promise<LogIdentity> {
    const { control, settings } = this.#ports;
    if (!control.state.identity) await control.fresh('reading the identity');
    if (!control.state.identity) throw new LogNotEstablishedError(settings.data('*'));
    return control.state.identity;
  }

  async stopped(): Promise<void> {
    const topics = await Promise.allSettled(this.#open.values());
    await Promise.all(topics.map((topic) => (topic.status === 'fulfilled' ? topic.value.stopped() : null)));
  }

  #opened(state: TopicState): Promise<OpenTopic> {
    const known = this.#open.get(state.name);
    if (known) return known;
    const opening = this.#create(state);
    this.#open.set(state.name, opening);
    opening.catch(() => this.#open.delete(state.name));
    return opening;
  }

  async #create({ name, kind, low }: TopicState): Promise<OpenTopic> {
    const { admin, settings } = this.#ports;
    await admin.ensure(settings.specs(name, kind, low.length));
    if (kind === 'records') return new RecordsTopic(name, this.#ports);
    const topic = new StepsTopic(name, low.length, this.#ports);
    await topic.fresh(`opening ${name}`);
    return topic;
  }
}
