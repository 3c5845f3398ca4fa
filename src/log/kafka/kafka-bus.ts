import { ChainConsumer } from '../chain/chain-consumer.ts';
import { InvalidRequestError } from '../errors.ts';
import type {
  Amendment,
  AmendmentOptions,
  ConsumerOptions,
  DeletedRange,
  GroupLag,
  LaneBounds,
  LaneLease,
  LaneTransform,
  LogConsumer,
  LogIdentity,
  LogRecord,
  LogWriter,
  NewRecord,
  ReadLimit,
  SealedRange,
  TransformingBus,
  TransformOptions,
  WriterLease,
} from '../port.ts';
import { KafkaConsumer } from './consumer/kafka-consumer.ts';
import { getTime } from './control/control-state.ts';
import { checkOptions, type KafkaBusOptions } from './kafka-options.ts';
import { closeParts, type KafkaParts, openParts } from './kafka-parts.ts';
import { readLag } from './read-lag.ts';
import { checkHeaders } from './record-headers.ts';
import { KafkaAmendment } from './transform/kafka-amendment.ts';
import { KafkaTransform } from './transform/kafka-transform.ts';
import { trimTopic } from './trim-topic.ts';
import { GatedWriter } from './writer/gated-writer.ts';
import { KafkaWriter } from './writer/kafka-writer.ts';

/**
 * Opens the log in the Kafka topics under `prefix`, and creates the first of them if missing.
 * @throws KafkaOptionError, BrokerUnavailableError, BrokerRefusedError, TopicMismatchError
 */
export async function createKafkaBus(options: KafkaBusOptions): Promise<TransformingBus> {
  checkOptions(options);
  return new KafkaBus(await openParts(options));
}

class KafkaBus implements TransformingBus {
  readonly #parts: KafkaParts;
  #closing: Promise<void> | null = null;

  constructor(parts: KafkaParts) {
    this.#parts = parts;
  }

  identity(): Promise<LogIdentity | null> {
    return this.#call('identity', async ({ control }) => {
      await control.fresh('identity');
      return control.state.identity;
    });
  }

  establish(identity: LogIdentity): Promise<void> {
    return this.#call('establish', ({ control }) => control.execute('establish', { identity }));
  }

  topics(): Promise<readonly string[]> {
    return this.#call('topics', async ({ control }) => {
      await control.fresh('topics');
      return [...control.state.topics.keys()].sort();
    });
  }

  writer(topic: string, owner: string, sessionMs: number): Promise<LogWriter> {
    return this.#call(`writer of ${topic}`, async ({ registry, settings, ...parts }) => {
      const identity = await registry.requireIdentity();
      const steps = await registry.ensureSteps(topic);
      const lease = await parts.control.execute('takeWriter', { topic, owner, sessionMs });
      const ports = {
        ...parts,
        topic: steps,
        identity,
        indexTopic: settings.index(topic),
        transactionalId: settings.transactionalId(topic),
      };
      const writer = new KafkaWriter(ports, lease, sessionMs);
      await writer.open();
      return new GatedWriter(writer, parts.gate);
    });
  }

  writerLease(topic: string): Promise<WriterLease | null> {
    return this.#call(`writer of ${topic}`, async ({ control }) => {
      await control.fresh(`writer of ${topic}`);
      const held = control.state.writers.get(topic);
      if (!held?.owner || held.expiresAt <= getTime(control.state)) return null;
      return { owner: held.owner, expiresAt: held.expiresAt };
    });
  }

  consumer(options: ConsumerOptions): Promise<LogConsumer> {
    return this.#call(`consumer of ${options.topic}`, async ({ registry, control, gate, mirror }) => {
      const identity = await registry.requireIdentity();
      const { topic: name, group, owner, partitions, shownAs } = options;
      const topic = await registry.ensure(name, partitions === undefined ? null : 'steps');
      if (partitions === undefined) await control.execute('join', { topic: name, group });
      else await control.execute('joinPartitions', { topic: name, group, partitions });
      const isShown = partitions === undefined && shownAs !== undefined;
      const endMirror = isShown ? mirror.follow({ topic: name, group, owner, shownAs }) : async () => {};
      const member = new KafkaConsumer({ control, topic, gate, identity, endMirror }, options);
      return partitions === undefined ? member : new ChainConsumer(member, this, options, identity);
    });
  }

  transform(options: TransformOptions, lease: LaneLease): Promise<LaneTransform> {
    return this.#call(`transformation of ${options.topic}`, async (parts) => {
      const { lanes } = await parts.registry.requireIdentity();
      const topic = await parts.registry.ensureSteps(options.topic);
      await parts.admin.ensure(parts.settings.transformSpecs(options, lanes));
      const transform = new KafkaTransform({ ...parts, topic }, options, lease);
      await transform.open();
      return transform;
    });
  }

  amend(options: AmendmentOptions): Promise<Amendment> {
    return this.#call(`amendment of ${options.topic}`, async (parts) => {
      const { lanes } = await parts.registry.requireIdentity();
      await parts.registry.ensure(options.done, 'records');
      await parts.admin.ensure(parts.settings.transformSpecs(options, lanes));
      return KafkaAmendment.open(parts, options, lanes);
    });
  }

  read(topic: string, lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    return this.#call(`read of ${topic}`, async ({ registry }) => {
      for (const [name, value] of Object.entries({ lane, from })) {
        if (!Number.isSafeInteger(value) || value < 0)
          throw new InvalidRequestError(`read of ${topic}, ${name}`, 'an integer from 0', String(value));
      }
      return (await registry.find(topic))?.read(lane, from, limit) ?? [];
    });
  }

  bounds(topic: string): Promise<readonly LaneBounds[]> {
    return this.#call(`bounds of ${topic}`, async ({ registry, control }) => {
      const found = await registry.find(topic);
      if (found?.kind === 'steps')
        await Promise.all([found.fresh(`bounds of ${topic}`), control.fresh(`bounds of ${topic}`)]);
      return found?.bounds() ?? [];
    });
  }

  highest(topic: string): Promise<number> {
    return this.#call(`end of ${topic}`, async ({ registry }) => {
      const found = await registry.find(topic);
      if (found?.kind !== 'steps') return -1;
      await found.fresh(`end of ${topic}`);
      return found.index.tail?.position ?? -1;
    });
  }

  lag(): Promise<readonly GroupLag[]> {
    return this.#call('lag', readLag);
  }

  put(topic: string, { key, headers, value }: NewRecord): Promise<number> {
    return this.#call(`put to ${topic}`, async ({ registry, sender, settings }) => {
      checkHeaders(`put to ${topic}`, headers);
      await registry.ensure(topic, 'records');
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      const message = { key: Buffer.from(key, 'utf8'), headers: { ...headers }, value: bytes };
      return sender.send(settings.data(topic), [message], true);
    });
  }

  trim(topic: string, epoch: number): Promise<readonly number[]> {
    return this.#call(`trim of ${topic}`, (parts) => trimTopic(parts, topic, epoch));
  }

  /** Nothing is sealed: the brokers compress records. */
  async sealed(): Promise<readonly SealedRange[]> {
    return [];
  }

  async readSealed(): Promise<readonly LogRecord[]> {
    return [];
  }

  deleted(topic: string): Promise<readonly DeletedRange[]> {
    return this.#call(`deleted records of ${topic}`, async ({ registry, control }) => {
      const found = await registry.find(topic);
      if (found?.kind !== 'steps') return [];
      await Promise.all([found.fresh('deleted records'), control.fresh('deleted records')]);
      return found.deleted();
    });
  }

  passDeleted(topic: string, ranges: readonly DeletedRange[]): Promise<void> {
    return this.#call(`deleted records of ${topic}`, async ({ registry, control }) => {
      const found = await registry.find(topic);
      if (found?.kind !== 'steps' || ranges.length === 0) return;
      const ends = Array.from({ length: found.lanes }, (_, lane) =>
        ranges.filter((range) => range.lane === lane).map(({ next }) => next),
      );
      await control.execute('trim', { topic, ends, areGone: true });
    });
  }

  /** Only the records contain positions. */
  async committedPositions(): Promise<null> {
    return null;
  }

  /** Brokers keep checksums of their own files; the records' values are for the caller to check. */
  async check(onPart: (done: number, total: number) => void): Promise<readonly string[]> {
    onPart(1, 1);
    return [];
  }

  size(): Promise<number> {
    return this.#call('size', async ({ registry, control }) => {
      await control.fresh('size');
      let bytes = 0;
      for (const { name, kind } of control.state.topics.values()) {
        if (kind !== 'steps') continue;
        const topic = await registry.ensureSteps(name);
        await topic.fresh('size');
        bytes += topic.size();
      }
      return bytes;
    });
  }

  close(): Promise<void> {
    this.#closing ??= closeParts(this.#parts);
    return this.#closing;
  }

  #call<Result>(operation: string, call: (parts: KafkaParts) => Promise<Result>): Promise<Result> {
    return this.#parts.gate.run(operation, () => call(this.#parts));
  }
}
