import { Worker } from 'node:worker_threads';
import { fromFacts } from './error-transport.ts';
import { BusClosedError, BusWorkerDiedError } from './errors.ts';
import type { OperationName, Operations, Request, Response, ThreadData } from './operations.ts';

interface Pending {
  readonly operation: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const WORKER = new URL('./thread/plain-thread.ts', import.meta.url);

/** Calls into the worker thread. It keeps the process alive only while a call is under way. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #closing: Promise<void> | undefined;
  /** Why the thread ended without `close`. */
  #died: string | undefined;

  private constructor(data: ThreadData, script: URL) {
    this.#worker = new Worker(script, { workerData: data });
    this.#worker.on('message', (response: Response) => this.#settle(response));
    this.#worker.on('error', (error) =>
      this.#end(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    this.#worker.on('exit', (code) => this.#end(`exit code ${code}`));
  }

  /** Starts the thread; rejects with what keeps it from opening the files. */
  static async start(data: ThreadData, script: URL = WORKER): Promise<WorkerClient> {
    const client = new WorkerClient(data, script);
    await new Promise<unknown>((resolve, reject) => {
      client.#pending.set(0, { operation: 'open', resolve, reject });
    });
    return client;
  }

  call<Name extends OperationName>(
    operation: Name,
    args: Parameters<Operations[Name]>,
    transfer: ArrayBuffer[] = [],
  ): Promise<Awaited<ReturnType<Operations[Name]>>> {
    if (this.#closing) return Promise.reject(new BusClosedError(operation));
    return this.#post(operation, args, transfer) as Promise<Awaited<ReturnType<Operations[Name]>>>;
  }

  #post(
    operation: Request['operation'],
    args: readonly unknown[],
    transfer: ArrayBuffer[],
  ): Promise<unknown> {
    if (this.#died !== undefined) return Promise.reject(new BusWorkerDiedError(operation, this.#died));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { operation, resolve, reject });
      this.#worker.postMessage({ id, operation, args } satisfies Request, transfer);
    });
  }

  #settle(response: Response): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in response) pending?.reject(fromFacts(response.error));
    else pending?.resolve(response.result);
  }

  #end(reason: string): void {
    this.#died ??= reason;
    for (const { operation, reject } of this.#pending.values())
      reject(this.#closing ? new BusClosedError(operation) : new BusWorkerDiedError(operation, this.#died));
    this.#pending.clear();
  }

  /** Lets the calls under way finish, closes the files and ends the thread; waits for data are rejected. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#died !== undefined) return;
    const exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    await this.#post('close', [], []);
    this.#worker.ref();
    await exited;
  }
}
