import { fileURLToPath } from 'node:url';
import type { ResourceLimits, WorkerOptions } from 'node:worker_threads';
import { PoolClosedError, WorkerStartError } from './pool-errors.ts';
import { type PoolJob, PoolThread } from './pool-thread.ts';

export interface WorkerPoolOptions {
  /** The threads' module; it calls `serveJobs`. */
  readonly script: URL;
  readonly workerData: unknown;
  /** Threads, at least 1. */
  readonly workers: number;
  /** Name of the threads, for who looks at the process. */
  readonly name: string;
  /** A thread that takes longer for a job is given up, ms. */
  readonly jobMs: number;
  readonly resourceLimits?: ResourceLimits;
}

/**
 * Threads that share a queue of jobs. A thread that dies takes the job it was at with it (`WorkerDiedError`) and is
 * replaced; jobs that it had not begun go to another. A thread that cannot even start fails the whole pool.
 */
export class WorkerPool<Answer> {
  readonly #options: WorkerPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #ready = new Set<PoolThread>();
  readonly #queue: PoolJob[] = [];
  #failure: Error | null = null;

  private constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Resolves when all threads can take jobs. Throws `WorkerStartError`. */
  static async start<Answer>(options: WorkerPoolOptions): Promise<WorkerPool<Answer>> {
    const pool = new WorkerPool<Answer>(options);
    try {
      await Promise.all(Array.from({ length: Math.max(1, options.workers) }, () => pool.#add()));
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get workers(): number {
    return Math.max(1, this.#options.workers);
  }

  /**
   * Resolves with the thread's answer. `make` is called when a thread has room, and again if that thread dies before it
   * starts the job; null drops the job. Throws `WorkerDiedError`, `PoolClosedError`, or `WorkerStartError`, also if what the job needs cannot be
   * made.
   */
  run(make: PoolJob['make']): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#queue.push({ make, resolve: resolve as (answer: unknown) => void, reject });
      this.#assign();
    });
  }

  /** False once a thread could not be replaced, and when it is closed. */
  get isRunning(): boolean {
    return this.#failure === null;
  }

  /** Threads drop what no further job needs. */
  forget(key: number): void {
    for (const thread of this.#ready) thread.forget(key);
  }

  /** Ends all threads; jobs that are not answered are rejected. */
  async close(): Promise<void> {
    const closed = new PoolClosedError();
    this.#fail(closed);
    await Promise.all([...this.#threads].map((thread) => thread.end(closed)));
    this.#threads.clear();
  }

  async #add(): Promise<void> {
    const { script, workerData, name, jobMs, resourceLimits } = this.#options;
    const options: WorkerOptions = { workerData, name, ...(resourceLimits ? { resourceLimits } : {}) };
    const thread = new PoolThread(script, options, jobMs, {
      onRoom: () => this.#assign(),
      onWorkerCrash: (untouched) => this.#replace(thread, untouched),
    });
    this.#threads.add(thread);
    try {
      await thread.ready;
    } catch (error) {
      this.#threads.delete(thread);
      const reason = error instanceof Error ? error.message : String(error);
      throw new WorkerStartError(fileURLToPath(script), reason, error);
    }
    thread.rest();
    this.#ready.add(thread);
    this.#assign();
  }

  /** A thread that was never ready is not replaced: the next one would end the same way. */
  #replace(dead: PoolThread, untouched: readonly PoolJob[]): void {
    this.#threads.delete(dead);
    if (!this.#ready.delete(dead)) return;
    this.#queue.unshift(...untouched);
    if (this.#failure) return;
    this.#assign();
    this.#add().catch((error: unknown) => this.#fail(error as Error));
  }

  #assign(): void {
    for (let job = this.#queue[0]; job; job = this.#queue[0]) {
      const thread = this.#leastBusy();
      if (!thread) return;
      this.#queue.shift();
      thread.give(job);
    }
  }

  #leastBusy(): PoolThread | null {
    let best: PoolThread | null = null;
    for (const thread of this.#ready) {
      if (thread.hasRoom && (!best || thread.jobs < best.jobs)) best = thread;
    }
    return best;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const job of this.#queue.splice(0)) job.reject(this.#failure);
  }
}
