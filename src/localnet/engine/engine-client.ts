import { Worker } from 'node:worker_threads';
import { DataError } from '../../platform/errors/error-kinds.ts';
import type { EngineOptions } from './engine-options.ts';
import {
  type CallRequest,
  type CallResponse,
  type EngineCall,
  type EngineCalls,
  type ErrorFacts,
  OPENED,
} from './worker-calls.ts';

/** The engine's thread failed a call, or is gone. `engineError` names the error's class there; `code`: its code, e.g. `ENOSPC`. */
export class EngineCallError extends DataError {
  readonly call: string;
  readonly engineError: string;
  readonly code: string | undefined;

  constructor(call: string, { name, message, stack, code }: ErrorFacts) {
    super(`localnet, ${call}: ${message}`, stack === undefined ? {} : { cause: stack });
    this.call = call;
    this.engineError = name;
    this.code = code;
  }
}

interface Pending {
  readonly call: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Stack of the thread: the TVM takes more of it the deeper cells are. Only what is used takes memory. */
const STACK_MB = 16;
const WORKER = new URL('./engine-worker.ts', import.meta.url);

/** Calls into the thread that the engine runs in. It keeps the process alive only while a call is under way. */
export class EngineClient {
  private readonly worker: Worker;
  private readonly pending = new Map<number, Pending>();
  private lastId = OPENED;
  private gone: string | null = null;

  private constructor(options: EngineOptions) {
    this.worker = new Worker(WORKER, { workerData: options, resourceLimits: { stackSizeMb: STACK_MB } });
    this.worker.on('message', (response: CallResponse) => this.settle(response));
    this.worker.on('error', (error) => this.end(error instanceof Error ? error.message : String(error)));
    this.worker.on('exit', (code) => this.end(`its thread ended with code ${code}`));
  }

  /** Starts the thread; rejects with what keeps the engine from opening. */
  static async start(options: EngineOptions): Promise<EngineClient> {
    const client = new EngineClient(options);
    await new Promise<unknown>((resolve, reject) => {
      client.pending.set(OPENED, { call: 'open', resolve, reject });
    });
    return client;
  }

  call<Call extends EngineCall>(
    call: Call,
    ...args: Parameters<EngineCalls[Call]>
  ): Promise<Awaited<ReturnType<EngineCalls[Call]>>> {
    if (this.gone !== null) return Promise.reject(this.failure(call));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.pending.size === 0) this.worker.ref();
      this.pending.set(id, { call, resolve: resolve as (result: unknown) => void, reject });
      this.worker.postMessage({ id, call, args } satisfies CallRequest);
    });
  }

  /** Whether the thread ended: every call fails from then on. */
  get isGone(): boolean {
    return this.gone !== null;
  }

  /** Ends the thread after the calls under way; a second call does nothing. */
  async close(): Promise<void> {
    if (this.gone !== null) return;
    const exited = new Promise((resolve) => this.worker.once('exit', resolve));
    await this.call('close');
    this.worker.ref();
    await exited;
  }

  private settle(response: CallResponse): void {
    const pending = this.pending.get(response.id);
    this.pending.delete(response.id);
    if (this.pending.size === 0) this.worker.unref();
    if (!pending) return;
    if ('error' in response) pending.reject(new EngineCallError(pending.call, response.error));
    else pending.resolve(response.result);
  }

  private end(reason: string): void {
    this.gone ??= reason;
    for (const { call, reject } of this.pending.values()) reject(this.failure(call));
    this.pending.clear();
  }

  private failure(call: string): EngineCallError {
    return new EngineCallError(call, { name: 'Error', message: this.gone ?? 'closed', stack: undefined });
  }
}
