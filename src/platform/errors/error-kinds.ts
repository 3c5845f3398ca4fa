/**
 * What kind of problem an error is. The kind decides whether work is retried, the exit code of a command and the status
 * of an HTTP answer (`OUTCOMES`). Errors without a kind, also those of `src/ton` and `src/tvm`, are faults of the
 * program or damaged input: they are never retried.
 *
 * - `usage`: the command line, a setting or a request cannot be used. Its author has to change it.
 * - `unavailable`: a server or a part of the process is away or busy. The same call may succeed later.
 * - `conflict`: another process, version or setting owns the place, or the state does not allow the call.
 * - `data`: what was read is damaged, missing or contradictory.
 * - `interrupted`: a signal, a client or a time limit ended the work. Nothing failed.
 */
export type ErrorKind = 'usage' | 'unavailable' | 'conflict' | 'data' | 'interrupted';

/** What follows from an error. */
export interface ErrorOutcome {
  /** True if the same call may succeed later without a change by a person. */
  readonly isRetriable: boolean;
  /** Exit code of a command that the error ends. */
  readonly exitCode: number;
  /** Status of an HTTP answer that the error ends. */
  readonly httpStatus: number;
}

/** Outcomes of errors by kind. A leaf class may override one. Exit codes: docs/commands.md. */
export const OUTCOMES: Readonly<Record<ErrorKind, ErrorOutcome>> = {
  usage: { isRetriable: false, exitCode: 2, httpStatus: 422 },
  unavailable: { isRetriable: true, exitCode: 1, httpStatus: 503 },
  conflict: { isRetriable: false, exitCode: 1, httpStatus: 500 },
  data: { isRetriable: false, exitCode: 1, httpStatus: 500 },
  interrupted: { isRetriable: false, exitCode: 130, httpStatus: 499 },
};

/** An error with a kind. All errors of this project extend one of the five classes below. */
export abstract class KnownError extends Error implements ErrorOutcome {
  override readonly name: string = this.constructor.name;

  abstract get errorKind(): ErrorKind;

  get isRetriable(): boolean {
    return OUTCOMES[this.errorKind].isRetriable;
  }

  get exitCode(): number {
    return OUTCOMES[this.errorKind].exitCode;
  }

  get httpStatus(): number {
    return OUTCOMES[this.errorKind].httpStatus;
  }
}

/** The command line, a setting or a request cannot be used: its author has to change it. */
export class UsageError extends KnownError {
  get errorKind(): ErrorKind {
    return 'usage';
  }
}

/** A server or a part of the process is away or busy: the same call may succeed later. */
export class UnavailableError extends KnownError {
  get errorKind(): ErrorKind {
    return 'unavailable';
  }
}

/** Another process, version or setting owns the place, or the state does not allow the call. */
export class ConflictError extends KnownError {
  get errorKind(): ErrorKind {
    return 'conflict';
  }
}

/** What was read is damaged, missing or contradictory. */
export class DataError extends KnownError {
  get errorKind(): ErrorKind {
    return 'data';
  }
}

/** A signal, a client or a time limit ended the work: nothing failed. */
export class InterruptedError extends KnownError {
  get errorKind(): ErrorKind {
    return 'interrupted';
  }
}

/** A value breaks the rules of a format or of a port. */
export class UnexpectedValueError extends DataError {
  /** The place of the value, such as `blockData.id.seqno`. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;

  constructor(where: string, expected: string, found: string) {
    super(`${where}: expected ${expected}, found ${found}`);
    this.where = where;
    this.expected = expected;
    this.found = found;
  }
}
