import { DataError } from '../../../platform/errors/error-kinds.ts';
import { retry } from '../../../platform/retry/retry.ts';
import { BusClosedError } from '../../errors.ts';
import type { BusLog } from '../kafka-options.ts';
import { BrokerRefusedError, BrokerUnavailableError, findFinalType, getInnermostReason } from './errors.ts';

const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 2_000;
/** A commit is seen within milliseconds. After this its producer takes its id again: a transaction that hangs ends. */
const SETTLE_MS = 20_000;
/** A failure that ends within this time is not logged, ms. */
const QUIET_MS = 1_000;

export interface BrokerRetryOptions {
  readonly brokers: readonly string[];
  readonly unavailableMs: number;
  readonly log: BusLog;
  /** Aborts when the bus closes for good. */
  readonly closed: AbortSignal;
}

/** Retry policy of calls to brokers: growing pauses, for a limited time, with a warning. */
export class BrokerRetry {
  readonly unavailableMs: number;
  readonly brokers: readonly string[];
  readonly closed: AbortSignal;
  readonly #log: BusLog;
  /** Number of calls that keep failing: the first one is logged, and so is the recovery of the last. */
  #failing = 0;

  constructor({ brokers, unavailableMs, log, closed }: BrokerRetryOptions) {
    this.brokers = brokers;
    this.unavailableMs = unavailableMs;
    this.closed = closed;
    this.#log = log;
  }

  /**
   * The result of the first attempt that succeeds. An attempt that must not be repeated throws `Final`.
   * @throws BrokerUnavailableError, BrokerRefusedError, BusClosedError
   */
  async run<Result>(operation: string, attempt: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    let said = false;
    try {
      return await retry(() => this.#whileOpen(operation, attempt), {
        signal: this.closed,
        firstPauseMs: FIRST_WAIT_MS,
        longestPauseMs: MAX_WAIT_MS,
        isSpread: true,
        isRetriable: (error) => {
          this.#giveUp(operation, error, performance.now() - begun);
          return true;
        },
        onRetry: (error) => {
          if (said || performance.now() - begun <= QUIET_MS) return;
          said = true;
          this.#begins(operation, error);
        },
      });
    } catch (error) {
      this.check(operation);
      throw error;
    } finally {
      if (said) this.#ends(operation, performance.now() - begun);
    }
  }

  #begins(operation: string, error: unknown): void {
    this.#failing++;
    const facts = { operation, brokers: this.brokers.join(','), reason: getInnermostReason(error) };
    if (this.#failing === 1) this.#log.warn(facts, 'Kafka does not answer, trying again');
    else this.#log.debug(facts, 'trying again');
  }

  #ends(operation: string, ms: number): void {
    this.#failing--;
    if (this.#failing === 0 && !this.closed.aborted)
      this.#log.info({ operation, ms }, 'no call waits for Kafka any more');
  }

  /** Time that a producer waits until what it has committed is seen. */
  get settleMs(): number {
    return Math.min(SETTLE_MS, this.unavailableMs);
  }

  check(operation: string): void {
    if (this.closed.aborted) throw new BusClosedError(operation);
  }

  /** The attempt's result. It is abandoned when the bus closes: kafkajs would continue for long. */
  async #whileOpen<Result>(operation: string, attempt: () => Promise<Result>): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>();
    const end = () => reject(new BusClosedError(operation));
    this.closed.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([attempt(), promise]);
    } finally {
      this.closed.removeEventListener('abort', end);
    }
  }

  #giveUp(operation: string, error: unknown, forMs: number): void {
    if (error instanceof Final) throw error.cause;
    this.check(operation);
    const type = findFinalType(error);
    if (type) throw new BrokerRefusedError(operation, this.brokers, type, error);
    if (forMs >= this.unavailableMs) throw new BrokerUnavailableError(operation, this.brokers, forMs, error);
  }
}

/** Carries an error, its cause, through a `BrokerRetry` that would retry it otherwise. */
export class Final extends DataError {
  constructor(cause: unknown) {
    super('final', { cause });
  }
}
