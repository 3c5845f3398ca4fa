import type {
  ConsumerOptions,
  JournalEntry,
  LaneLease,
  LogConsumer,
  LogIdentity,
  LogRecord,
  ReadLimit,
} from '../port.ts';
import { ChainReader, type ChainSource } from './chain-reader.ts';

/**
 * A member of a group with partitions. Its rights come from `member`, and each partition reads all lanes as one. Both
 * logs return it, around their own members.
 */
export class ChainConsumer implements LogConsumer {
  readonly group: string;
  readonly #member: LogConsumer;
  readonly #bus: ChainSource['bus'];
  readonly #topic: string;
  readonly #identity: LogIdentity;
  readonly #readers = new Map<number, ChainReader>();
  /** Partitions whose latest read came back empty. */
  readonly #drained = new Set<number>();

  constructor(
    member: LogConsumer,
    bus: ChainSource['bus'],
    { topic, group }: ConsumerOptions,
    identity: LogIdentity,
  ) {
    this.group = group;
    this.#member = member;
    this.#bus = bus;
    this.#topic = topic;
    this.#identity = identity;
  }

  async claim(): Promise<readonly LaneLease[]> {
    const leases = await this.#member.claim();
    const held = new Set(leases.map(({ lane }) => lane));
    for (const partition of this.#readers.keys()) if (!held.has(partition)) this.#forget(partition);
    return leases;
  }

  left(lease: LaneLease): number {
    return this.#member.left(lease);
  }

  async read(partition: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    const records = await this.#getReader(partition).read(from, limit);
    if (records.length === 0) this.#drained.add(partition);
    else this.#drained.delete(partition);
    return records;
  }

  /** The wait begins before the look at what came since the empty reads, so that nothing is missed between them. */
  async waitForData(ms: number): Promise<void> {
    const appended = this.#member.waitForData(ms);
    appended.catch(() => {});
    if (!(await this.#hasMore())) await appended;
  }

  journal(lease: LaneLease, entry: JournalEntry): Promise<void> {
    return this.#member.journal(lease, entry);
  }

  pending(lease: LaneLease): Promise<JournalEntry | null> {
    return this.#member.pending(lease);
  }

  confirm(lease: LaneLease, entry: JournalEntry): Promise<void> {
    return this.#member.confirm(lease, entry);
  }

  commit(lease: LaneLease, next: number): Promise<void> {
    return this.#member.commit(lease, next);
  }

  async release(): Promise<void> {
    await this.#member.release();
    this.#readers.clear();
    this.#drained.clear();
  }

  /** Whether the lane of a step that is waited for has grown since the partition's empty read. */
  async #hasMore(): Promise<boolean> {
    if (this.#drained.size === 0) return false;
    const bounds = await this.#bus.bounds(this.#topic);
    return [...this.#drained].some((partition) => {
      const awaited = this.#readers.get(partition)?.awaited;
      // All that is known of an empty log is that it was empty.
      if (!awaited) return bounds.some(({ next }) => next > 0);
      return bounds.some(({ lane, next }) => lane === awaited.lane && next > awaited.offset);
    });
  }

  #getReader(partition: number): ChainReader {
    const known = this.#readers.get(partition);
    if (known) return known;
    const reader = new ChainReader({
      bus: this.#bus,
      topic: this.#topic,
      identity: this.#identity,
      partition,
    });
    this.#readers.set(partition, reader);
    return reader;
  }

  #forget(partition: number): void {
    this.#readers.delete(partition);
    this.#drained.delete(partition);
  }
}
