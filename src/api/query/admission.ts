import { availableParallelism } from 'node:os';
import type { Caller } from '../caller.ts';
import { timeLeft } from '../http/caller.ts';
import { OverloadedError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import { FairQueue } from './fair-queue.ts';

export interface AdmissionOptions {
  /** Statements at the store at the same time. */
  readonly running: number;
  /** Statements that wait for their turn. */
  readonly waiting: number;
}

/** A statement waits for its turn for this part of the time that its answer has left. */
const WAITING_SHARE = 0.5;

/** The store looks every 100 ms for clients that left: so long an aborted statement still runs there. */
const CANCEL_MS = 150;

interface Waiter {
  readonly client: string;
  admit(): void;
  refuse(error: unknown): void;
}

/**
 * Bounds the statements that answers have at the store at the same time. Further ones wait in turn by client; answers
 * that have begun to read go first, so that what is begun ends. Too many, or too long a wait: `OverloadedError`.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #begun = new FairQueue<Waiter>();
  readonly #new = new FairQueue<Waiter>();
  #running = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#begun.size + this.#new.size;
  }

  /** The client that has the fewest statements waiting. */
  leastWaiting(clients: readonly string[]): string {
    const waiting = (client: string) => this.#begun.getCount(client) + this.#new.getCount(client);
    return clients.reduce((least, client) => (waiting(client) < waiting(least) ? client : least));
  }

  /**
   * Runs `statement` when its turn has come.
   * @param begun whether the same answer has had a statement before
   * @throws OverloadedError, or the reason of the caller's signal
   */
  async run<T>(caller: Caller, begun: boolean, statement: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.running) this.#running++;
    else await this.#turn(caller, begun ? this.#begun : this.#new);
    try {
      return await statement();
    } finally {
      if (caller.signal.aborted) setTimeout(() => this.#release(), CANCEL_MS).unref();
      else this.#release();
    }
  }

  /** Resolves with a place among the running, which the one before hands over. */
  async #turn(caller: Caller, queue: FairQueue<Waiter>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { client: caller.client, admit: resolve, refuse: reject };
    const waitMs = Math.ceil(timeLeft(caller) * WAITING_SHARE);
    if (this.waiting >= this.#options.waiting) this.#makeRoom(queue, waiter);
    queue.add(waiter);
    const leave = (error: unknown) => {
      if (queue.remove(waiter)) reject(error);
    };
    const timer = setTimeout(() => leave(tooMuchWork()), waitMs);
    const gone = () => leave(caller.signal.reason);
    caller.signal.addEventListener('abort', gone, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      caller.signal.removeEventListener('abort', gone);
    }
  }

  /** A full queue gives up the last of the client that waits most often, or refuses who comes from that client. */
  #makeRoom(queue: FairQueue<Waiter>, comer: Waiter): void {
    const last = queue.lastOfLargest();
    if (!last || queue.getCount(last.client) <= queue.getCount(comer.client) + 1) throw tooMuchWork();
    queue.remove(last);
    last.refuse(tooMuchWork());
  }

  #release(): void {
    const next = this.#begun.take() ?? this.#new.take();
    if (next) next.admit();
    else this.#running--;
  }
}

function tooMuchWork(): OverloadedError {
  return new OverloadedError('too many requests are waiting for the database');
}

/** One admission a server, made when it is first asked for. */
export function admissionOfServer(
  getOptions: (context: ServeContext) => AdmissionOptions,
): (context: ServeContext) => Admission {
  const made = new WeakMap<ServeContext, Admission>();
  return (context) => {
    const admission = made.get(context) ?? new Admission(getOptions(context));
    made.set(context, admission);
    return admission;
  };
}

/** Waiting statements for each running one. */
const QUEUE_FACTOR = 16;

/** The admission of a server's statements. */
export const getAdmission = admissionOfServer(({ settings: { storeStatements: running } }) => ({
  running,
  waiting: running * QUEUE_FACTOR,
}));

/** One in the store and one in the main thread keep two cores busy: so many at a time of what costs much. */
export const HEAVY_SLOTS = Math.max(2, Math.floor(availableParallelism() / 2));
/** As above, but an emulation begins several statements at once. */
const HEAVY_QUEUE_FACTOR = 128;

/** The admission of statements of heavy answers (`ScopeOptions.isHeavy`), before the general one. */
export const getHeavyAdmission = admissionOfServer(() => ({
  running: HEAVY_SLOTS,
  waiting: HEAVY_SLOTS * HEAVY_QUEUE_FACTOR,
}));

/** Runs a statement in its turn, as `Admission.run`. */
export function runInTurn<T>(
  context: ServeContext,
  { caller, begun, isHeavy }: { readonly caller: Caller; readonly begun: boolean; readonly isHeavy: boolean },
  statement: () => Promise<T>,
): Promise<T> {
  const run = () => getAdmission(context).run(caller, begun, statement);
  return isHeavy ? getHeavyAdmission(context).run(caller, begun, run) : run();
}
