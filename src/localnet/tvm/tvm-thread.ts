import { Worker } from 'node:worker_threads';
import type { TvmAnswer, TvmCall, TvmResult } from './tvm-calls.ts';
import { TvmPoolError } from './tvm-pool-error.ts';

/** A call on its way, settled once. */
export interface Job {
  readonly call: TvmCall;
  resolve(result: TvmResult): void;
  reject(error: Error): void;
  /** Told once it has run, however it ended: milliseconds, and whether it ran to its end. */
  spent(ms: number, isWhole: boolean): void;
}

const WORKER = new URL('./tvm-worker.ts', import.meta.url);
/**
 * The thread's own stack, which the emulator's recursion uses too: tuples 1,022 deep ended in RangeError with 1 MB and
 * were read with 2 (measured; Node's own default is 4). The heap holds results while they are read.
 */
const LIMITS = { stackSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** A worker with the job that it is at. The time limit begins when the worker is ready. */
export class TvmThread<J extends Job> {
  private readonly worker = new Worker(WORKER, { resourceLimits: LIMITS });
  private readonly timeoutMs: number;
  private readonly onIdle: (isGone: boolean) => void;
  private isReady = false;
  private isGone = false;
  private job: J | null = null;
  private timer: NodeJS.Timeout | undefined;
  private startedAt: number | null = null;

  /** `onIdle` is called whenever a job is done, `isGone` where the thread takes no other. */
  constructor(timeoutMs: number, onIdle: (isGone: boolean) => void) {
    this.timeoutMs = timeoutMs;
    this.onIdle = onIdle;
    this.worker.on('message', (answer: TvmAnswer) => (this.isReady ? this.settle(answer) : this.begin()));
    this.worker.on('messageerror', (error) => this.fail('result', String(error)));
    this.worker.on('error', (error) => this.fail('emulator', String(error)));
    this.worker.on('exit', (code) => this.fail('emulator', `the thread ended with ${code}`));
  }

  get current(): J | null {
    return this.job;
  }

  get isFree(): boolean {
    return this.job === null && !this.isGone;
  }

  take(job: J): void {
    this.job = job;
    this.worker.ref();
    if (this.isReady) this.start();
  }

  /** Drops `job`; where it runs the thread ends in the middle of it, since a call hears nothing. */
  cutOff(job: J): void {
    if (this.job !== job) return;
    if (this.isReady) {
      this.leave();
      return;
    }
    this.release();
    this.onIdle(false);
  }

  async end(reason: TvmPoolError): Promise<void> {
    this.isGone = true;
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
    this.startedAt = performance.now();
    this.timer = setTimeout(() => this.fail('timeout', `cut off after ${timeoutMs} ms`), timeoutMs);
    this.worker.postMessage(this.job!.call);
  }

  private settle({ result, failure }: TvmAnswer): void {
    if (this.isGone) return;
    const job = this.release(true);
    this.worker.unref();
    if (result) job?.resolve(result);
    else job?.reject(new TvmPoolError(failure?.reason ?? 'emulator', failure?.message ?? 'no answer'));
    this.onIdle(false);
  }

  private fail(reason: 'timeout' | 'emulator' | 'result', detail: string): void {
    if (this.isGone) return;
    const { job } = this;
    this.leave();
    job?.reject(new TvmPoolError(reason, detail));
  }

  private leave(): void {
    this.isGone = true;
    this.release();
    void this.worker.terminate();
    this.onIdle(true);
  }

  private release(isWhole = false): J | null {
    clearTimeout(this.timer);
    const { job } = this;
    if (this.startedAt !== null) job?.spent(performance.now() - this.startedAt, isWhole);
    this.startedAt = null;
    this.job = null;
    return job;
  }
}
