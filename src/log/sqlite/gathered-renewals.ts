import type { Request } from './operations.ts';

/**
 * Members of a process renew at the same moments (shared-moment.ts). Renewals within this time are one transaction,
 * milliseconds.
 */
const GATHER_MS = 5;

/** Outcome of a call. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

export interface RenewalPorts {
  /** Runs what it is given as one transaction. */
  readonly transaction: <Result>(body: () => Result) => Result;
  /** Runs a call within the transaction at hand; what it throws leaves nothing of that call. */
  readonly run: (request: Request) => unknown;
  readonly answer: (request: Request, outcome: Outcome) => void;
}

/** Whether a call does nothing but renew a lease; of a member, it may win or lose lanes. */
export function isRenewal({ operation, args }: Request): boolean {
  if (operation === 'claim') return true;
  const [, steps] = args;
  return operation === 'append' && Array.isArray(steps) && steps.length === 0;
}

/**
 * Renewals of leases that wait a moment for others: renewals that arrive together are one transaction and one disk
 * flush. Other calls come after them (`flush`), so the order of calls is kept.
 */
export class GatheredRenewals {
  readonly #ports: RenewalPorts;
  #waiting: Request[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: RenewalPorts) {
    this.#ports = ports;
  }

  add(request: Request): void {
    this.#waiting.push(request);
    this.#timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** Runs what waits, now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = this.#waiting;
    if (requests.length === 0) return;
    this.#waiting = [];
    const outcomes = this.#runAll(requests);
    for (const [index, request] of requests.entries())
      this.#ports.answer(request, outcomes[index] as Outcome);
  }

  /** Callers get their answers after everything is on the disk. */
  #runAll(requests: readonly Request[]): readonly Outcome[] {
    const { transaction, run } = this.#ports;
    try {
      return transaction(() =>
        requests.map((request) => {
          try {
            return { result: run(request) };
          } catch (error) {
            return { error };
          }
        }),
      );
    } catch (error) {
      return requests.map(() => ({ error }));
    }
  }
}
