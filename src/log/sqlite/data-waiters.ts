import type { ConsumerHandle } from './group-member.ts';
import type { LogStore } from './log-store.ts';
import { laneEnd, publishedCount } from './topics.ts';

/** Other processes do not announce appends: their published ends are polled at this interval. */
const POLL_MS = 20;

interface Waiter {
  readonly consumer: ConsumerHandle;
  /** Records published in the topic when the wait began. */
  readonly published: number;
  readonly deadline: number;
  readonly resolve: () => void;
}

/** Consumers waiting for something to read; polls only while there are any, and reads only what others have written. */
export class DataWaiters {
  readonly #store: LogStore;
  readonly #waiters = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;
  /** Changes with what other processes write. */
  #version = 0;

  constructor(store: LogStore) {
    this.#store = store;
  }

  wait(consumer: ConsumerHandle, ms: number): Promise<void> {
    if (this.#waiters.size === 0) this.#version = this.#store.log.dataVersion;
    const published = publishedCount(this.#store, consumer.topic);
    if (this.#cameSince(consumer)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiters.add({ consumer, published, deadline: performance.now() + ms, resolve });
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
    const now = performance.now();
    const version = this.#store.log.dataVersion;
    const isWritten = version !== this.#version;
    this.#version = version;
    for (const waiter of this.#waiters) {
      if (now >= waiter.deadline || (isWritten && this.#isReadable(waiter))) this.#wake(waiter);
    }
  }

  /** Something new since the wait began. */
  #isReadable({ consumer, published }: Waiter): boolean {
    return publishedCount(this.#store, consumer.topic) !== published || this.#cameSince(consumer);
  }

  /** Something between the consumer's empty read and its wait, which would be missed otherwise. */
  #cameSince({ topic, drained, held }: ConsumerHandle): boolean {
    for (const [lane, from] of drained)
      if (held.has(lane) && laneEnd(this.#store, topic, lane) > from) return true;
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
