import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type GroupPlace, toGroupVariables } from '../config/group-place.ts';
import { Metrics, type ProcessMetrics } from '../observability/metrics/metrics.ts';
import { pause } from '../retry/poll.ts';
import type { FromMember, ToMember } from './group-messages.ts';

/** Pause before a process that ended is started again, milliseconds. Twice as long after each end, up to the highest. */
const RESTART_MS = 200;
const MAX_RESTART_MS = 30_000;
/** A process that ran for so long begins with the shortest pause again. */
const STEADY_MS = 60_000;
/** A process that sends no metrics in this time is left out of them, milliseconds. */
const COLLECT_MS = 2_000;

export interface GroupOptions {
  readonly count: number;
  /** Port that all of them listen on. */
  readonly port: number;
  readonly log: {
    warn(facts: object, text: string): void;
  };
}

/** A process ended before it answered: the settings or the machine have to change. */
export interface FailedStart {
  readonly exitCode: number;
}

/**
 * Processes of the same command line that share a port. One that ends is started again. Their messages to each other and
 * their metrics go through this process, which answers no requests.
 */
export class ProcessGroup {
  readonly #options: GroupOptions;
  readonly #members = new Map<number, Worker>();
  readonly #running: Promise<unknown>[] = [];
  readonly #stop = new AbortController();
  readonly #collects = new Map<number, (from: number, metrics: ProcessMetrics) => void>();
  readonly #metrics = new Metrics();
  readonly #restarts;
  readonly #ready = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<FailedStart>();
  #collected = 0;
  #hasAnswered = false;
  /** Members that answer requests. */
  readonly #answering = new Set<number>();

  private constructor(options: GroupOptions) {
    this.#options = options;
    this.#restarts = this.#metrics.counter({
      name: 'tonhouse_api_process_restarts_total',
      help: 'Processes of the API that ended unexpectedly and were started again',
    });
    this.#metrics.gauge(
      { name: 'tonhouse_api_processes', help: 'Processes of the API that answer requests' },
      () => this.#answering.size,
    );
  }

  /** Starts the first process, and the others when it answers: it makes what they share. */
  static start(options: GroupOptions): ProcessGroup {
    const group = new ProcessGroup(options);
    group.#running.push(group.#keep(1));
    void group.#ready.promise.then(() => {
      for (let number = 2; number <= options.count; number++) group.#running.push(group.#keep(number));
    });
    return group;
  }

  /** Resolves if the first process ends before it has ever answered. */
  get failed(): Promise<FailedStart> {
    return this.#failed.promise;
  }

  /** Asks all to end; resolves when they have. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const { process } of this.#members.values()) process.kill('SIGTERM');
    await Promise.all(this.#running);
  }

  async #keep(number: number): Promise<void> {
    const { signal } = this.#stop;
    let pauseMs = RESTART_MS;
    while (!signal.aborted) {
      const began = performance.now();
      const worker = this.#fork(number);
      const [code, killedBy] = (await once(worker, 'exit')) as [number | null, string | null];
      this.#members.delete(number);
      this.#answering.delete(number);
      this.#tellOthers(number, { kind: 'gone', from: number });
      if (signal.aborted) return;
      if (!this.#hasAnswered) return this.#failed.resolve({ exitCode: code ?? 1 });
      this.#restarts.inc();
      this.#options.log.warn(
        { process: number, code, signal: killedBy },
        'a process of the API ended; it is started again',
      );
      if (performance.now() - began > STEADY_MS) pauseMs = RESTART_MS;
      await pause(pauseMs, signal).catch(() => {});
      pauseMs = Math.min(MAX_RESTART_MS, pauseMs * 2);
    }
  }

  #fork(number: number): Worker {
    const { count, port } = this.#options;
    const place: GroupPlace = { number, count, port };
    const worker = cluster.fork(toGroupVariables(place));
    this.#members.set(number, worker);
    worker.on('message', (message: FromMember) => this.#receive(number, worker, message));
    worker.on('error', (error) =>
      this.#options.log.warn({ process: number, error }, 'a process of the API is not reached'),
    );
    return worker;
  }

  #receive(number: number, worker: Worker, message: FromMember): void {
    if (message.kind === 'ready') {
      this.#hasAnswered = true;
      this.#answering.add(number);
      this.#ready.resolve();
    } else if (message.kind === 'say') this.#tellOthers(number, { ...message, kind: 'said', from: number });
    else if (message.kind === 'joins') this.#tellOthers(number, { ...message, kind: 'joined' });
    else if (message.kind === 'metrics') this.#collects.get(message.id)?.(number, message.metrics);
    else if (message.kind === 'asks metrics') void this.#answerMetrics(worker, message.id);
  }

  #tellOthers(number: number, message: ToMember): void {
    for (const [other, worker] of this.#members) if (other !== number) tell(worker, message);
  }

  async #answerMetrics(worker: Worker, id: number): Promise<void> {
    tell(worker, { kind: 'all metrics', id, text: await Metrics.join(await this.#collect()) });
  }

  /** Metrics of all processes that send theirs in time, and of the group. */
  async #collect(): Promise<readonly ProcessMetrics[]> {
    const id = this.#collected++;
    const found = new Map<number, ProcessMetrics>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const asked = [...this.#members.values()].filter((worker) =>
      tell(worker, { kind: 'collect', id }),
    ).length;
    this.#collects.set(id, (from, metrics) => {
      found.set(from, metrics);
      if (found.size === asked) resolve();
    });
    const timer = setTimeout(resolve, COLLECT_MS);
    await promise;
    clearTimeout(timer);
    this.#collects.delete(id);
    return [...found.values(), await this.#metrics.read()];
  }
}

/** False if the process is gone. */
function tell(worker: Worker, message: ToMember): boolean {
  if (!worker.isConnected()) return false;
  worker.send(message, undefined, () => {});
  return true;
}
