import type { EmulatedTransaction, RefusedMessage } from '../emulator.ts';
import type { GetMethodRequest } from '../get-method.ts';
import { ColdWaits } from './cold-waits.ts';
import { FairQueue, type Place } from './fair-queue.ts';
import { FIRST_CALL } from './first-call.ts';
import type { MethodResult, Trial, TvmCall, TvmCaller, TvmResult } from './tvm-calls.ts';
import { TvmPoolError } from './tvm-pool-error.ts';
import { type Job, type LostThread, TvmThread } from './tvm-thread.ts';

export { TvmPoolError } from './tvm-pool-error.ts';

export interface TvmPoolOptions {
  /** Threads; each takes about 120 MB once it is used. */
  readonly threads: number;
  /** Longest run, milliseconds: a longer one is stopped with its thread. Waiting is not counted; it ends with the caller's signal, whose time is stopped while no thread is ready. */
  readonly timeoutMs: number;
  /** Calls that may wait, of all clients. Default 256. */
  readonly maxQueued?: number;
  /** Calls of one client that may wait. Default 128. */
  readonly maxQueuedOfClient?: number;
  /** Longest wait while no thread is ready, milliseconds; then a call is refused as busy. Default 25,000. */
  readonly maxColdMs?: number;
}

const MAX_QUEUED = 256;
const MAX_QUEUED_OF_CLIENT = 128;
/** Bytes that waiting calls hold: mostly code and data of accounts. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** Usual calls take a few milliseconds, a million gas some hundred. */
const BRIEF_MS = 50;
/** Larger calls are not kept for new threads to warm up with. */
const MAX_WARM_UP_BYTES = 1024 * 1024;

interface PoolJob extends Job {
  readonly place: Place;
  /** Ends its wait for a thread. */
  started(): void;
}

const NO_CALLER: TvmCaller = { signal: new AbortController().signal, client: '' };

/**
 * Runs get methods and tries transactions in threads of its own, since a call blocks its thread and may run long. Threads
 * are started when they are first needed. A pool of ours and not one of a library: docs/decisions/0014-tvm-bounds.md.
 */
export class TvmPool {
  private readonly options: TvmPoolOptions;
  private readonly waiting: FairQueue<PoolJob>;
  private readonly threads: TvmThread<PoolJob>[] = [];
  private readonly cold: ColdWaits;
  /** The last brief call of each kind: new threads warm up with them, so that no real call pays for a cold thread. */
  private readonly brief = new Map<TvmCall['kind'], TvmCall>([['get', { kind: 'get', request: FIRST_CALL }]]);
  private isClosed = false;
  /** Threads at most; one more than may run, once one was lost. */
  private most: number;

  constructor(options: TvmPoolOptions) {
    this.options = options;
    this.most = options.threads;
    this.cold = new ColdWaits(options.maxColdMs);
    this.waiting = new FairQueue({
      maxCalls: options.maxQueued ?? MAX_QUEUED,
      maxCallsOfClient: options.maxQueuedOfClient ?? MAX_QUEUED_OF_CLIENT,
      maxBytes: MAX_QUEUED_BYTES,
    });
  }

  /** Calls that run in a thread. */
  get running(): number {
    return this.threads.filter(({ current }) => current !== null).length;
  }

  /** Calls that wait for a thread. */
  get queued(): number {
    return this.waiting.size;
  }

  /** Threads that were started and live. */
  get started(): number {
    return this.threads.length;
  }

  /** @throws TvmPoolError, the reason of the caller's signal */
  runGetMethod(request: GetMethodRequest, caller: TvmCaller = NO_CALLER): Promise<MethodResult> {
    const { code, data, stack, config, libraries } = request;
    const bytes = code.length + data.length + stack.length + config.length + (libraries?.length ?? 0);
    const { address: group, methodId } = request;
    const place = { client: caller.client, group, work: String(methodId), bytes };
    return this.run({ kind: 'get', request }, place, caller) as Promise<MethodResult>;
  }

  /** Executes a transaction of which nothing remains. @throws TvmPoolError, the reason of the caller's signal */
  tryTransaction(trial: Trial, caller: TvmCaller = NO_CALLER): Promise<EmulatedTransaction | RefusedMessage> {
    const { shardAccount, input } = trial.request;
    const bytes = shardAccount.length + ('message' in input ? input.message.length : 0);
    const place = {
      client: caller.client,
      group: trial.address,
      work: 'transaction',
      bytes: bytes + trial.block.config.length,
    };
    return this.run({ kind: 'trial', trial }, place, caller) as Promise<EmulatedTransaction | RefusedMessage>;
  }

  /** Ends all threads; calls under way are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    const closed = new TvmPoolError('closed', 'the pool is closed');
    for (const { reject } of this.waiting.drain()) reject(closed);
    await Promise.all(this.threads.splice(0).map((thread) => thread.end(closed)));
  }

  private async run(call: TvmCall, place: Place, caller: TvmCaller): Promise<TvmResult> {
    const { signal } = caller;
    if (this.isClosed) throw new TvmPoolError('closed', 'the pool is closed');
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<TvmResult>();
    let neededMs = 0;
    const spent = (ms: number, isComplete: boolean) => {
      // A call that was cut off would have taken longer: its client may have left so that it looks brief.
      neededMs = isComplete ? ms : this.options.timeoutMs;
      this.waiting.spent(place, ms, neededMs);
    };
    const late = () => this.abandon(job, new TvmPoolError('busy', 'no thread has started yet'));
    const started = this.cold.begin(caller, late);
    const job: PoolJob = { call, place, resolve, reject, spent, started };
    const leave = () => this.abandon(job, signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      const busy = new TvmPoolError('busy', 'too many calls wait for a thread');
      for (const gone of this.waiting.add(job, place)) gone.reject(busy);
      this.dispatch();
      const result = await promise;
      if (neededMs < BRIEF_MS && place.bytes <= MAX_WARM_UP_BYTES) this.brief.set(call.kind, call);
      return result;
    } finally {
      started();
      signal.removeEventListener('abort', leave);
    }
  }

  private abandon(job: PoolJob, reason: Error): void {
    this.waiting.remove(job);
    job.reject(reason);
    for (const thread of this.threads) thread.cutOff(job);
  }

  private dispatch(): void {
    while (this.waiting.size > 0 && !this.isClosed && this.running < this.options.threads) {
      const free = this.threads.find(({ isFree }) => isFree);
      if (!free) {
        this.startThreads();
        return;
      }
      const job = this.waiting.take((place) => this.mayStart(place));
      if (!job) {
        this.startThreads();
        return;
      }
      job.started();
      free.take(job);
      // Who comes next does not wait for a thread to start.
      if (this.threads.length < this.options.threads && !this.threads.some(({ isFree }) => isFree))
        this.startThreads();
    }
  }

  /** Starts a thread for each waiting call, and one for the next, unless they are already starting. */
  private startThreads(): void {
    const starting = this.threads.filter(({ isReady }) => !isReady).length;
    const wanted = Math.min(this.waiting.size + 1, this.options.threads - this.running) - starting;
    for (let count = 0; count < wanted && this.threads.length < this.most; count++) this.addThread();
  }

  /**
   * With several threads, calls leave one thread to others. This holds for calls of one method or messages of one
   * contract, however brief, since clients choose the arguments. It holds for all calls of one contract that are not
   * known to be brief, or come from one client. It also holds for all long calls, since an attacker may have many
   * contracts. A long call, or an unknown one of a contract with long calls, never takes the only ready thread:
   * otherwise brief ones would wait for the next thread to start.
   */
  private mayStart(place: Place): boolean {
    const isBrief = this.usualMs(place, BRIEF_MS) < BRIEF_MS;
    const isLong = (this.waiting.getUsualTime(place) ?? this.waiting.usualOfGroup(place) ?? 0) >= BRIEF_MS;
    const isAlike = ({ current, runsMs }: TvmThread<PoolJob>) => {
      if (current === null) return false;
      const { group, work, client } = current.place;
      if (group === place.group && (work === place.work || client === place.client || !isBrief)) return true;
      return isLong && Math.max(runsMs, this.usualMs(current.place, 0)) >= BRIEF_MS;
    };
    const alike = this.threads.filter(isAlike).length;
    const isSpare = this.options.threads === 1 || this.threads.filter(({ isFree }) => isFree).length > 1;
    return alike < Math.max(1, this.options.threads - 1) && (isSpare || !isLong);
  }

  private usualMs(place: Place, unknown: number): number {
    return this.waiting.getUsualTime(place) ?? unknown;
  }

  private addThread(): void {
    const warmUp = [...this.brief.values()];
    const thread = new TvmThread<PoolJob>(this.options.timeoutMs, warmUp, (lost) => {
      if (lost && !this.isClosed) this.replace(thread, lost);
      this.cold.isCold = !this.threads.some(({ isReady }) => isReady);
      this.standBy();
      this.dispatch();
    });
    this.threads.push(thread);
  }

  /** A lost thread is rarely the last one: its successor starts at once, and one more thread is kept ready. */
  private replace(thread: TvmThread<PoolJob>, { wasReady, failure }: LostThread): void {
    this.threads.splice(this.threads.indexOf(thread), 1);
    if (wasReady) this.most = this.options.threads + 1;
    else {
      // A thread that cannot start would be tried again for ever.
      this.waiting.take(() => true)?.reject(failure);
      this.brief.clear();
    }
  }

  /** Spare threads start one at a time: each uses a core while it starts. */
  private standBy(): void {
    const isWanted = this.most > this.options.threads && this.threads.length < this.most;
    if (isWanted && !this.isClosed && this.threads.every(({ isReady }) => isReady)) this.addThread();
  }
}
