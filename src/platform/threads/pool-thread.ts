import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { PoolClosedError, WorkerDiedError, WorkerStartError } from './pool-errors.ts';
import type { Need, ThreadTask, WorkerMessage } from './serve-jobs.ts';

/** A job as it travels: the buffers in it that move to the thread are lost to the caller. */
export interface JobMessage {
  readonly job: unknown;
  readonly transfer: ArrayBuffer[];
  /** What the thread makes before it, unless it has it. */
  readonly need?: Need;
}

/** A job of the pool. Its message can be built repeatedly: a message to a dead thread is lost. Null: nobody waits for it. */
export interface PoolJob {
  readonly make: () => JobMessage | null;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Events of a thread for its pool. */
export interface ThreadEvents {
  /** It has room for another job. */
  onRoom(): void;
  /** It ended unexpectedly. `untouched`: jobs that it had received but not started. */
  onWorkerCrash(untouched: readonly PoolJob[]): void;
}

/** One job is worked at while the next one lies ready: the thread never waits for the caller's turn. */
const JOBS_AT_ONCE = 2;

/** One thread of a pool. It keeps the process alive only while it has jobs. */
export class PoolThread {
  /** Resolves when it can take jobs; rejects with the reason if it ends before. */
  readonly ready: Promise<void>;
  readonly #script: URL;
  readonly #worker: Worker;
  readonly #jobMs: number;
  readonly #events: ThreadEvents;
  readonly #jobs: PoolJob[] = [];
  /** Keys of what it has for jobs. */
  readonly #has = new Set<number>();
  readonly #exited: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #fault: string | null = null;
  #ended = false;

  constructor(script: URL, options: WorkerOptions, jobMs: number, events: ThreadEvents) {
    this.#script = script;
    this.#jobMs = jobMs;
    this.#events = events;
    this.#worker = new Worker(script, options);
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ready.catch(() => {});
    this.#worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') ready.resolve();
      else this.#answered(message);
    });
    this.#worker.on('messageerror', (error) => this.#kill(`an answer that cannot be read: ${error.message}`));
    this.#worker.on('error', (error: unknown) => {
      this.#fault ??= error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', (code) => {
        const reason = this.#fault ?? `it ended with code ${code}`;
        ready.reject(new WorkerDiedError(reason));
        this.#died(reason);
        resolve();
      });
    });
  }

  get hasRoom(): boolean {
    return !this.#ended && this.#fault === null && this.#jobs.length < JOBS_AT_ONCE;
  }

  /** Jobs given and not answered. */
  get jobs(): number {
    return this.#jobs.length;
  }

  give(job: PoolJob): void {
    const made = job.make();
    if (!made) {
      job.reject(new PoolClosedError());
      return;
    }
    const { job: message, transfer, need } = made;
    if (this.#jobs.push(job) === 1) this.#begin();
    if (need && !this.#has.has(need.key)) {
      this.#has.add(need.key);
      this.#tell({ kind: 'make', need });
    }
    this.#tell({ kind: 'job', job: message }, transfer);
  }

  /** No further job needs it. */
  forget(key: number): void {
    if (this.#has.delete(key)) this.#tell({ kind: 'forget', key });
  }

  /** Ends the thread, whatever it does; its jobs are rejected with `reason`. */
  async end(reason: Error): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    for (const job of this.#jobs.splice(0)) job.reject(reason);
    await this.#worker.terminate();
    await this.#exited;
  }

  /** Lets the process end while this thread has nothing to do. */
  rest(): void {
    this.#worker.unref();
  }

  /** The first job's time runs from here. */
  #begin(): void {
    this.#worker.ref();
    const job = this.#jobs[0];
    this.#timer = setTimeout(() => {
      // A process that was itself asleep finds the answer in its queue: that comes first.
      setImmediate(() =>
        setImmediate(() => {
          if (this.#jobs[0] === job) this.#kill(`no answer in ${this.#jobMs} ms`);
        }),
      );
    }, this.#jobMs);
  }

  #tell(task: ThreadTask, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(task, transfer);
  }

  #answered(message: Exclude<WorkerMessage, { readonly kind: 'ready' }>): void {
    clearTimeout(this.#timer);
    const job = this.#jobs.shift();
    if (this.#jobs.length > 0) this.#begin();
    else this.rest();
    if (message.kind === 'answer') job?.resolve(message.answer);
    else {
      this.#has.delete(message.key);
      job?.reject(new WorkerStartError(fileURLToPath(this.#script), message.reason));
    }
    this.#events.onRoom();
  }

  #kill(reason: string): void {
    this.#fault ??= reason;
    void this.#worker.terminate();
  }

  #died(reason: string): void {
    clearTimeout(this.#timer);
    if (this.#ended) return;
    this.#ended = true;
    const [first, ...untouched] = this.#jobs.splice(0);
    this.#events.onWorkerCrash(untouched);
    first?.reject(new WorkerDiedError(reason));
  }
}
