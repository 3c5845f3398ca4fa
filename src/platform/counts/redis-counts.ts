import { Redis } from 'ioredis';
import type { WindowCount } from './window-count.ts';

export interface RedisCountsOptions {
  /** Begins the names of its keys. */
  readonly prefix: string;
  readonly windowMs: number;
  /** Counts while the server does not. */
  readonly meanwhile: { add(name: string): WindowCount };
  /** Longest wait for the server's answer to a count, ms: requests wait for it. Default 250. */
  readonly answerMs?: number;
  /** After a failure the server is asked nothing for so long, ms: an unresponsive one would delay every request. Default 5,000. */
  readonly pauseMs?: number;
  /** The server does not count: for `pauseMs` the other counts do. Neither text nor fields hold the password. */
  readonly onError: (error: Error) => void;
}

const ANSWER_MS = 250;
const ALONE_MS = 5_000;
/** Longest wait for a connection, ms. */
const CONNECT_MS = 2_000;
/** Pause before the next attempt to connect, ms: it grows by the first up to the second. */
const RECONNECT_MS = [200, 5_000] as const;

/**
 * Counts by name in windows of time on a Redis-compatible server, shared by all its clients, and exact. One transaction
 * starts a window, counts and returns the time left, by the server's clock.
 */
export class RedisCounts {
  readonly #redis: Redis;
  readonly #options: RedisCountsOptions;
  #pausedUntil = 0;
  #isClosed = false;

  private constructor(url: string, options: RedisCountsOptions) {
    this.#options = options;
    this.#redis = new Redis(url, {
      lazyConnect: true,
      // A request that cannot be counted now is counted elsewhere: none waits for a connection, or is counted twice.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      connectTimeout: CONNECT_MS,
      commandTimeout: options.answerMs ?? ANSWER_MS,
      retryStrategy: (times) => Math.min(times * RECONNECT_MS[0], RECONNECT_MS[1]),
    });
    this.#redis.on('error', (error: unknown) => this.#failed(error));
  }

  /** Connects. An absent server is reported, and connected to when it appears. */
  static async open(url: string, options: RedisCountsOptions): Promise<RedisCounts> {
    const counts = new RedisCounts(url, options);
    await counts.#redis.connect().catch((error: unknown) => counts.#failed(error));
    return counts;
  }

  /** Counts one more of a name. */
  async add(name: string): Promise<WindowCount> {
    if (performance.now() < this.#pausedUntil) return this.#options.meanwhile.add(name);
    try {
      return await this.#addShared(`${this.#options.prefix}${name}`);
    } catch (error) {
      this.#failed(error);
      return this.#options.meanwhile.add(name);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }

  async #addShared(key: string): Promise<WindowCount> {
    const { windowMs } = this.#options;
    const replies = await this.#redis.multi().set(key, 0, 'PX', windowMs, 'NX').incr(key).pttl(key).exec();
    const [, count, leftMs] = (replies ?? []).map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
    if (typeof count !== 'number' || typeof leftMs !== 'number')
      throw new Error('the server counted nothing');
    // The window was begun before the server's clock was set back: it would last as long as the jump.
    if (leftMs > windowMs) {
      await this.#redis.set(key, 1, 'PX', windowMs);
      return { count: 1, leftMs: windowMs };
    }
    // A count without an end would refuse its client for ever: the window passed between two of the commands.
    if (leftMs < 0) await this.#redis.pexpire(key, windowMs);
    return { count, leftMs: leftMs < 0 ? windowMs : leftMs };
  }

  #failed(error: unknown): void {
    const now = performance.now();
    if (this.#isClosed || now < this.#pausedUntil) return;
    this.#pausedUntil = now + (this.#options.pauseMs ?? ALONE_MS);
    // The library's errors carry the command that failed with its arguments, the password among them.
    this.#options.onError(new Error(error instanceof Error ? error.message : `${error}`));
  }
}
