import { Worker } from 'node:worker_threads';
import type { WasmModule } from '../../ton/kernel/web-assembly.ts';
import type { TvmAnswer, TvmCall, TvmResult, TvmThreadReady, TvmThreadStart } from './tvm-calls.ts';
import { TvmPoolError } from './tvm-pool-error.ts';

/** A call on its way, settled once. */
export interface Job {
  readonly call: TvmCall;
  resolve(result: TvmResult): void;
  reject(error: Error): void;
  /** Called after a run, for any outcome: milliseconds, and whether it completed. */
  spent(ms: number, isComplete: boolean): void;
}

/** A thread that takes no job any more. */
export interface LostThread {
  /** It had started. */
  readonly wasReady: boolean;
  readonly failure: TvmPoolError;
}

const WORKER = new URL('./tvm-worker.ts', import.meta.url);
/**
 * The thread's own stack, which the emulator's recursion uses too: tuples 1,022 deep ended in RangeError with 1 MB and
 * were read with 2 (measured; Node's own default is 4). The heap holds results while they are read.
 */
const LIMITS = { stackSizeMb: 8, maxOldGenerationSizeMb: 512 };

/** An abandoned job may run for about the processor time that a new thread would take to start: most end before. */
const ABANDONED_MS = 200;

/** The executor's module as the first thread compiled it: the others take it over. */
let compiled: WasmModule | null = null;

/** A worker with the job that it is at. It takes jobs once it is ready. */
export class TvmThread<J extends Job> {
  private readonly worker: Worker;
  private readonly timeoutMs: number;
  private readonly onChange: (lost: LostThread | null) => void;
  private ready = false;
  private isGone = false;
  private job: J | null = null;
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;

  /**
   * `onChange` is called whenever it becomes free, and once with the lost job if it takes no more. It runs the calls of
   * `warmUp` before it is ready: the first one of each kind takes 20 to 80 ms longer than the next.
   */
  constructor(timeoutMs: number, warmUp: readonly TvmCall[], onChange: (lost: LostThread | null) => void) {
    this.timeoutMs = timeoutMs;
    this.onChange = onChange;
    const workerData: TvmThreadStart = { module: compiled, warmUp };
    this.worker = new Worker(WORKER, { resourceLimits: LIMITS, workerData });
    this.worker.on('message', (message) =>
      this.ready ? this.settle(message as TvmAnswer) : this.begin(message as TvmThreadReady),
    );
    this.worker.on('messageerror', (error) => this.fail('result', String(error)));
    this.worker.on('error', (error) => this.fail('emulator', String(error)));
    this.worker.on('exit', (code) => this.fail('emulator', `the thread ended with ${code}`));
  }

  get current(): J | null {
    return this.job;
  }

  /** Run time of its job, milliseconds; 0 without a job. */
  get runsMs(): number {
    return this.job ? performance.now() - this.startedAt : 0;
  }

  /** It has started: until then it takes no job. */
  get isReady(): boolean {
    return this.ready;
  }

  get isFree(): boolean {
    return this.ready && this.job === null && !this.isGone;
  }

  take(job: J): void {
    const { timeoutMs } = this;
    this.job = job;
    this.worker.ref();
    this.startedAt = performance.now();
    this.timer = setTimeout(() => this.fail('timeout', `cut off after ${timeoutMs} ms`), timeoutMs);
    this.worker.postMessage(job.call);
  }

  /**
   * No caller waits for `job` any more. If it continues to run, the thread is ended, since a call cannot be
   * interrupted.
   */
  cutOff(job: J): void {
    if (this.job !== job) return;
    const leftMs = this.startedAt + this.timeoutMs - performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.fail('timeout', 'no caller waits for it'),
      Math.min(ABANDONED_MS, leftMs),
    );
  }

  async end(reason: TvmPoolError): Promise<void> {
    this.isGone = true;
    this.release()?.reject(reason);
    await this.worker.terminate();
  }

  private begin({ module }: TvmThreadReady): void {
    compiled = module;
    this.ready = true;
    this.worker.unref();
    this.onChange(null);
  }

  private settle({ result, failure }: TvmAnswer): void {
    if (this.isGone) return;
    const job = this.release(true);
    this.worker.unref();
    if (result) job?.resolve(result);
    else job?.reject(new TvmPoolError(failure?.reason ?? 'emulator', failure?.message ?? 'no answer'));
    this.onChange(null);
  }

  private fail(reason: 'timeout' | 'emulator' | 'result', detail: string): void {
    if (this.isGone) return;
    const failure = new TvmPoolError(reason, detail);
    this.isGone = true;
    this.release()?.reject(failure);
    void this.worker.terminate();
    this.onChange({ wasReady: this.ready, failure });
  }

  private release(isComplete = false): J | null {
    clearTimeout(this.timer);
    const { job } = this;
    job?.spent(performance.now() - this.startedAt, isComplete);
    this.job = null;
    return job;
  }
}
