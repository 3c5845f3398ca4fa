import type { TopicKind, TransformOptions } from '../port.ts';

/** A topic of Kafka as the bus makes it. */
export interface TopicSpec {
  readonly topic: string;
  readonly partitions: number;
  readonly settings: Readonly<Record<string, string>>;
}

const MIB = 1 << 20;

/**
 * A record of 16 MB with its overhead. Kafka limits whole batches as sent: kafkajs makes one batch per partition and
 * send.
 */
export const MAX_BATCH_BYTES = 24 * MIB;

/** Kept until `trim` deletes it, whatever the brokers' defaults are. */
const FOR_EVER = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };

/** Names and settings of the topics under one prefix. */
export class TopicSettings {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Name in Kafka of a topic of the port. */
  data(name: string): string {
    return `${this.#prefix}.${name}`;
  }

  /** Topic of the index of a topic of steps: no topic of the port begins with an underscore. */
  index(name: string): string {
    return `${this.#prefix}._index.${name}`;
  }

  get control(): string {
    return `${this.#prefix}._control`;
  }

  /** Consumer group of Kafka that shows how far a group is. */
  consumerGroup(name: string): string {
    return `${this.#prefix}.${name}`;
  }

  /** One id a topic: a producer that begins with it fences its last user. */
  transactionalId(name: string): string {
    return `${this.#prefix}.${name}.writer`;
  }

  /** Topic of a group's progress in the transformation of a topic: one partition per lane. */
  progress(name: string, group: string): string {
    return `${this.#prefix}._progress.${name}.${group}`;
  }

  /** One id a lane of a group: a producer that begins with it fences its last user. */
  laneId(name: string, group: string, lane: number): string {
    return `${this.#prefix}.${name}.${group}.${lane}`;
  }

  /** For what is brought in later, whatever its lane. */
  amendmentId(name: string, group: string): string {
    return `${this.#prefix}.${name}.${group}.amendment`;
  }

  /** The order of all decisions: one partition, and times that one clock gives. */
  controlSpec(): TopicSpec {
    const settings = {
      ...FOR_EVER,
      'message.timestamp.type': 'LogAppendTime',
      'max.message.bytes': String(MAX_BATCH_BYTES),
      'segment.bytes': String(16 * MIB),
    };
    return { topic: this.control, partitions: 1, settings };
  }

  dataSpec(name: string, lanes: number): TopicSpec {
    const settings = {
      ...FOR_EVER,
      'message.timestamp.type': 'CreateTime',
      'max.message.bytes': String(MAX_BATCH_BYTES),
      'compression.type': 'producer',
      // A segment is deleted when all of it was trimmed.
      'segment.bytes': String(256 * MIB),
    };
    return { topic: this.data(name), partitions: lanes, settings };
  }

  /** The newest record of each key counts. Small segments: the newest one is never compacted, and read at each start. */
  indexSpec(name: string): TopicSpec {
    const settings = {
      'cleanup.policy': 'compact',
      'message.timestamp.type': 'CreateTime',
      'max.message.bytes': String(MAX_BATCH_BYTES),
      'segment.bytes': String(4 * MIB),
      'segment.ms': '3600000',
      'min.cleanable.dirty.ratio': '0.2',
    };
    return { topic: this.index(name), partitions: 1, settings };
  }

  /** Only the newest record of a partition counts; it is found from the end. */
  progressSpec(name: string, group: string, lanes: number): TopicSpec {
    return { ...this.indexSpec(name), topic: this.progress(name, group), partitions: lanes };
  }

  /** For others to read: how long it is kept is the brokers' setting, and may be changed. */
  outputSpec(name: string, lanes: number): TopicSpec {
    const settings = {
      'cleanup.policy': 'delete',
      'message.timestamp.type': 'CreateTime',
      'max.message.bytes': String(MAX_BATCH_BYTES),
      'compression.type': 'producer',
    };
    return { topic: this.data(name), partitions: lanes, settings };
  }

  /** Topics of Kafka that the transformation of a topic with that many lanes needs. */
  transformSpecs({ topic, group, outputs }: TransformOptions, lanes: number): readonly TopicSpec[] {
    return [this.progressSpec(topic, group, lanes), ...outputs.map((name) => this.outputSpec(name, lanes))];
  }

  /** Topics of Kafka that a topic of the port needs. */
  specs(name: string, kind: TopicKind, lanes: number): readonly TopicSpec[] {
    return kind === 'steps' ? [this.dataSpec(name, lanes), this.indexSpec(name)] : [this.dataSpec(name, 1)];
  }
}
