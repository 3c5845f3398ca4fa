import { BusClosedError } from '../../errors.ts';
import { type BrokerRetry, Final } from '../client/broker-retry.ts';
import { BrokerUnavailableError, getInnermostReason } from '../client/errors.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import { type Page, PartitionReader } from './partition-reader.ts';
import { decodeRecords, type StoredRecord } from './record-batch.ts';

/** Handlers of a growing partition. Their errors are final: the follower stops. */
export interface Following {
  /** Before the first record, and if the log was trimmed before this process could continue. */
  readonly restart: (from: number) => void;
  readonly apply: (records: readonly StoredRecord[]) => void;
}

interface Waiter {
  readonly offset: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The broker's last answer, or why there is none; `at` is the monotonic clock, ms. */
interface Sight {
  readonly at: number;
  readonly what: string;
}

const MAX_WAIT_MS = 1_000;
const MAX_BYTES = 8 << 20;

/** Reads one partition from its oldest record on, without end, and knows how far it is. */
export class PartitionFollower {
  readonly #topic: string;
  readonly #retry: BrokerRetry;
  readonly #following: Following;
  readonly #reader: PartitionReader;
  readonly #waiters = new Set<Waiter>();
  #position = -1;
  #sight: Sight = { at: performance.now(), what: 'begun' };
  #failure: Error | null = null;
  #running: Promise<void> | null = null;

  constructor(client: KafkaClient, topic: string, brokerRetry: BrokerRetry, following: Following) {
    this.#topic = topic;
    this.#retry = brokerRetry;
    this.#following = following;
    this.#reader = new PartitionReader(client);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /**
   * Resolves when everything below `offset` was applied.
   * @throws BrokerUnavailableError after `limitMs`, with the follower's position and the reason
   */
  async reach(offset: number, operation: string, limitMs = this.#retry.unavailableMs): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#retry.check(operation);
    if (this.#position >= offset) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { offset, resolve, reject };
    this.#waiters.add(waiter);
    const { brokers } = this.#retry;
    const late = setTimeout(
      () => reject(new BrokerUnavailableError(operation, brokers, limitMs, this.#standing(offset))),
      limitMs,
    );
    await promise.finally(() => {
      clearTimeout(late);
      this.#waiters.delete(waiter);
    });
  }

  /** Resolves when the follower has ended; the connections are cut before. */
  async stopped(): Promise<void> {
    await this.#running;
    await this.#reader.close();
  }

  async #run(): Promise<void> {
    const operation = `reading ${this.#topic}`;
    try {
      while (!this.#retry.closed.aborted) {
        try {
          await this.#retry.run(operation, () => this.#step());
        } catch (error) {
          // Others give up on their calls by their own time; this one goes on for as long as the bus is open.
          if (!(error instanceof BrokerUnavailableError)) throw error;
        }
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    this.#fail(new BusClosedError(operation));
  }

  async #step(): Promise<void> {
    try {
      if (this.#position < 0) await this.#restart();
      const page = await this.#reader.fetch({
        topic: this.#topic,
        partition: 0,
        offset: this.#position,
        maxBytes: MAX_BYTES,
        maxWaitMs: MAX_WAIT_MS,
      });
      if (page) await this.#take(page);
      else this.#position = -1;
    } catch (error) {
      this.#see(getInnermostReason(error));
      throw error;
    }
  }

  async #take(page: Page): Promise<void> {
    for (const batch of page.batches) {
      const records = await decodeRecords(batch);
      this.#apply(records.filter(({ offset }) => offset >= this.#position));
      this.#position = Math.max(this.#position, batch.lastOffset + 1);
    }
    this.#position = Math.max(this.#position, page.next);
    this.#see(`last stable offset ${page.lastStable}, high watermark ${page.highWatermark}`);
    this.#notifyWaiters();
  }

  async #restart(): Promise<void> {
    const from = await this.#reader.offset(this.#topic, 0, 'earliest');
    this.#following.restart(from);
    this.#position = from;
    this.#notifyWaiters();
  }

  #see(what: string): void {
    this.#sight = { at: performance.now(), what };
  }

  /** If the last stable offset stays below the high watermark, an open transaction hides records. */
  #standing(wanted: number): Error {
    const { at, what } = this.#sight;
    const ago = ((performance.now() - at) / 1000).toFixed(1);
    return new Error(
      `${this.#topic} does not continue after offset ${this.#position}, ${wanted} is expected; last seen ${ago} s ago: ${what}`,
    );
  }

  #notifyWaiters(): void {
    for (const waiter of this.#waiters) if (waiter.offset <= this.#position) waiter.resolve();
  }

  #apply(records: readonly StoredRecord[]): void {
    try {
      this.#following.apply(records);
    } catch (error) {
      throw new Final(error);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiter of this.#waiters) waiter.reject(this.#failure);
  }
}
