import { EventEmitter, once } from 'node:events';
import { RecordsDeletedError } from '../../errors.ts';
import type { DeletedRange, LaneBounds, LogRecord, ReadLimit } from '../../port.ts';
import type { Run } from '../index/index-records.ts';
import { LaneIndex } from '../index/lane-index.ts';
import { inSteps, RecordsLostError, readRecords } from '../reader/read-records.ts';
import { PartitionFollower } from '../wire/partition-follower.ts';
import type { RegistryPorts } from './topic-registry.ts';

/** A topic of steps: the records by lane, and the index of their positions. */
export class StepsTopic {
  readonly kind = 'steps';
  readonly name: string;
  readonly lanes: number;
  /** Name in Kafka of the topic with the records. */
  readonly kafkaName: string;
  readonly index: LaneIndex;
  /** Emits `change` when the index grew. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #ports: RegistryPorts;
  readonly #indexName: string;
  readonly #follower: PartitionFollower;

  constructor(name: string, lanes: number, ports: RegistryPorts) {
    this.name = name;
    this.lanes = lanes;
    this.kafkaName = ports.settings.data(name);
    this.#indexName = ports.settings.index(name);
    this.#ports = ports;
    this.index = new LaneIndex(lanes, () => this.#changes.emit('change'));
    this.#follower = new PartitionFollower(ports.client, this.#indexName, ports.brokerRetry, this.index);
    this.#follower.start();
  }

  /** Oldest kept offset by lane. */
  get low(): readonly number[] {
    return this.#ports.control.state.topics.get(this.name)?.low ?? [];
  }

  /** Resolves when everything that was appended before the call is in the index here. */
  async fresh(operation: string): Promise<void> {
    const { brokerRetry, reader } = this.#ports;
    const end = await brokerRetry.run(operation, () => reader.offset(this.#indexName, 0, 'latest'));
    await this.#follower.reach(end, operation);
  }

  /**
   * Resolves when the index has everything that was written to it. For the owner of the writer's transactional id, who
   * has ended its transactions: an open transaction of another owner hides committed records after it.
   * @throws BrokerUnavailableError if one stays open
   */
  async settled(operation: string): Promise<void> {
    const { brokerRetry, reader } = this.#ports;
    const end = await brokerRetry.run(operation, () => reader.offset(this.#indexName, 0, 'written'));
    await this.#follower.reach(end, operation, brokerRetry.settleMs);
  }

  /** Resolves when the index record at this offset, which is committed, is known here. @throws BrokerUnavailableError */
  indexed(offset: number, operation: string): Promise<void> {
    return this.#follower.reach(offset + 1, operation, this.#ports.brokerRetry.settleMs);
  }

  /** Resolves at the next change of the index. */
  async changed(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }

  /** The runs that are not trimmed, with their trimmed part cut off. */
  getRetainedRuns(lane: number): readonly Run[] {
    const low = this.low[lane] ?? 0;
    return this.index
      .runs(lane)
      .filter(({ next }) => next > low)
      .map((run) => ({ ...run, first: Math.max(run.first, low) }));
  }

  bounds(): readonly LaneBounds[] {
    return Array.from({ length: this.lanes }, (_, lane) => {
      const next = this.index.end(lane);
      return { lane, first: this.getRetainedRuns(lane)[0]?.first ?? next, next };
    });
  }

  /** Bytes of the kept values, before compression. */
  size(): number {
    return Array.from({ length: this.lanes }, (_, lane) => this.getRetainedRuns(lane))
      .flat()
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whole steps within one run; where `from` was trimmed, from the oldest remaining record on. */
  async read(lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    const operation = `read of ${this.name}, lane ${lane}`;
    if (lane >= this.lanes) return [];
    if (!this.find(lane, from)) await this.fresh(operation);
    for (;;) {
      const range = this.find(lane, from);
      if (!range) return [];
      const records = await readRecords(
        this.#ports,
        { topic: this.kafkaName, asLogRecord: inSteps },
        range,
        limit,
      );
      if (records.length > 0) return records;
      // The range was trimmed during the read: the kept part begins later.
      await this.#ports.control.fresh(operation);
      if (this.find(lane, from)?.first !== range.first) continue;
      const deleted = await this.#readDeletedRange(lane, range.first);
      if (deleted) throw new RecordsDeletedError(this.name, deleted);
      throw new RecordsLostError(this.name, range, null);
    }
  }

  /** Records that Kafka deleted, at the beginning of each lane. */
  async deleted(): Promise<readonly DeletedRange[]> {
    const found = await Promise.all(
      this.bounds().map(({ lane, first, next }) =>
        first < next ? this.#readDeletedRange(lane, first) : null,
      ),
    );
    return found.filter((range) => range !== null);
  }

  /** The deleted records from an offset on; null if Kafka has the record there. */
  async #readDeletedRange(lane: number, first: number): Promise<DeletedRange | null> {
    const { brokerRetry, reader } = this.#ports;
    const operation = `beginning of ${this.name}, lane ${lane}`;
    const beginning = await brokerRetry.run(operation, () => reader.offset(this.kafkaName, lane, 'earliest'));
    if (beginning <= first) return null;
    const next = this.index.find(lane, beginning) ? beginning : this.index.end(lane);
    return { lane, first, next, firstEpoch: this.index.find(lane, first)?.epoch ?? 0 };
  }

  async stopped(): Promise<void> {
    await this.#follower.stopped();
  }

  /** The run that contains `from`, or the first one after it, from there on and without trimmed parts. */
  find(lane: number, from: number): Run | null {
    const low = this.low[lane] ?? 0;
    const run = this.index.find(lane, Math.max(from, low));
    return run ? { ...run, first: Math.max(from, low, run.first) } : null;
  }
}
