import { Worker } from 'node:worker_threads';
import type { EmulatedTransaction, RefusedMessage } from '../../../../ton/tvm/emulator.ts';
import type { GetMethodRequest, GetMethodResult } from '../../../../ton/tvm/get-method.ts';
import type { Trial, TvmAnswer, TvmCall, TvmResult } from './tvm-calls.ts';

export interface TvmPoolOptions {
  /** Threads; each takes about 120 MB once it is used. */
  readonly threads: number;
  /** What takes longer is cut off, its thread with it. */
  readonly timeoutMs: number;
}

/** A call was cut off, failed in the emulator, or the pool was closed under it. */
export class TvmPoolError extends Error {
  override readonly name = 'TvmPoolError';
  readonly reason: 'timeout' | 'emulator' | 'closed';

  constructor(reason: 'timeout' | 'emulator' | 'closed', detail: string) {
    super(`TVM: ${detail}`);
    this.reason = reason;
  }
}

interface Job {
  readonly call: TvmCall;
  readonly resolve: (result: TvmResult) => void;
  readonly reject: (error: Error) => void;
}

const WORKER = new URL('./tvm-worker.ts', import.meta.url);

/**
 * Runs get methods and tries transactions in threads of its own, since a call blocks its thread and may run long. Threads
 * are started when they are first needed.
 */
export class TvmPool {
  private readonly options: TvmPoolOptions;
  private readonly waiting: Job[] = [];
  private readonly threads: Thread[] = [];
  private isClosed = false;

  constructor(options: TvmPoolOptions) {
    this.options = options;
  }

  /** @throws TvmPoolError */
  runGetMethod(request: GetMethodRequest): Promise<GetMethodResult> {
    return this.run({ kind: 'get', request }) as Promise<GetMethodResult>;
  }

  /** Executes a transaction of which nothing remains. @throws TvmPoolError */
  tryTransaction(trial: Trial): Promise<EmulatedTransaction | RefusedMessage> {
    return this.run({ kind: 'trial', trial }) as Promise<EmulatedTransaction | RefusedMessage>;
  }

  /** Ends all threads; calls under way are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    const closed = new TvmPoolError('closed', 'the pool is closed');
    for (const { reject } of this.waiting.splice(0)) reject(closed);
    await Promise.all(this.threads.splice(0).map((thread) => thread.end(closed)));
  }

  private run(call: TvmCall): Promise<TvmResult> {
    if (this.isClosed) return Promise.reject(new TvmPoolError('closed', 'the pool is closed'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ call, resolve, reject });
      this.dispatch();
    });
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const thread = this.threads.find(({ isFree }) => isFree) ?? this.addThread();
      if (!thread) return;
      thread.take(this.waiting.shift()!);
    }
  }

  private addThread(): Thread | null {
    if (this.threads.length >= this.options.threads) return null;
    const thread = new Thread(this.options.timeoutMs, (isGone) => {
      if (isGone) this.threads.splice(this.threads.indexOf(thread), 1);
      this.dispatch();
    });
    this.threads.push(thread);
    return thread;
  }
}

/** A worker with the job that it is at. The time limit begins when the worker is ready. */
class Thread {
  private readonly worker = new Worker(WORKER);
  private readonly timeoutMs: number;
  private readonly onIdle: (isGone: boolean) => void;
  private isReady = false;
  private job: Job | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, onIdle: (isGone: boolean) => void) {
    this.timeoutMs = timeoutMs;
    this.onIdle = onIdle;
    this.worker.on('message', (answer: TvmAnswer) => (this.isReady ? this.settle(answer) : this.begin()));
    this.worker.on('error', (error) => this.fail('emulator', String(error)));
  }

  get isFree(): boolean {
    return this.job === null;
  }

  take(job: Job): void {
    this.job = job;
    this.worker.ref();
    if (this.isReady) this.start();
  }

  async end(reason: TvmPoolError): Promise<void> {
    this.release()?.reject(reason);
    await this.worker.terminate();
  }

  private begin(): void {
    this.isReady = true;
    if (this.job) this.start();
    else this.worker.unref();
  }

  private start(): void {
    const { timeoutMs } = this;
    this.timer = setTimeout(() => this.fail('timeout', `cut off after ${timeoutMs} ms`), timeoutMs);
    this.worker.postMessage(this.job!.call);
  }

  private settle({ result, error }: TvmAnswer): void {
    const job = this.release();
    this.worker.unref();
    if (result) job?.resolve(result);
    else job?.reject(new TvmPoolError('emulator', error?.message ?? 'no answer'));
    this.onIdle(false);
  }

  private fail(reason: 'timeout' | 'emulator', detail: string): void {
    const job = this.release();
    void this.worker.terminate();
    job?.reject(new TvmPoolError(reason, detail));
    this.onIdle(true);
  }

  private release(): Job | null {
    clearTimeout(this.timer);
    const { job } = this;
    this.job = null;
    return job;
  }
}
