import type { ConsumerHandle } from './lane-lease.ts';
import type { LogStore } from './log-store.ts';
import { laneEnd, publishedCount } from './topics.ts';

/** Other processes do not tell of their appends: their published ends are looked at this often. */
const POLL_MS = 20;

interface Waiter {
  readonly consumer: ConsumerHandle;
  /** Records published in the topic when the wait began. */
  readonly published: number;
  readonly deadline: number;
  readonly resolve: () => void;
}

/** Consumers waiting for something to read; polls only while there are any. */
export class DataWaiters {
  readonly #store: LogStore;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: LogStore) {
    this.#store = store;
  }

  wait(consumer: ConsumerHandle, ms: number): Promise<void> {
    const published = publishedCount(this.#store, consumer.topic);
    return new Promise((resolve) => {
      this.#waiters.add({ consumer, published, deadline: Date.now() + ms, resolve });
      this.#timer ??= setInterval(() => this.#poll(), POLL_MS);
    });
  }

  /** Something was published by this process: wakes its waiters at once. */
  published(topic: string): void {
    for (const waiter of this.#waiters) if (waiter.consumer.topic === topic) this.#wake(waiter);
  }

  /** Ends the polling; what waits stays unanswered. */
  stop(): void {
    clearInterval(this.#timer);
    this.#waiters.clear();
  }

  /** A failure here belongs to no call: it ends the thread, and with it every call, loudly. */
  #poll(): void {
    const now = Date.now();
    for (const waiter of this.#waiters) {
      if (now >= waiter.deadline || this.#isReadable(waiter)) this.#wake(waiter);
    }
  }

  /**
   * Something new since the wait began; or something between the consumer's empty read and the wait, which
   * would be missed otherwise.
   */
  #isReadable({ consumer, published }: Waiter): boolean {
    if (publishedCount(this.#store, consumer.topic) !== published) return true;
    for (const [lane, from] of consumer.drained) {
      if (consumer.held.has(lane) && laneEnd(this.#store, consumer.topic, lane) > from) return true;
    }
    return false;
  }

  #wake(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    waiter.resolve();
  }
}
