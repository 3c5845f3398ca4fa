import { ConflictError, UnavailableError, UsageError } from '../../platform/errors/error-kinds.ts';

/** The origin of a fork did not deliver something, or too much waits for it. Nothing follows about what the origin has. */
export class OriginError extends UnavailableError {
  constructor(what: string, problem: string, options?: ErrorOptions) {
    super(`fork: ${what}: ${problem}`, options);
  }
}

/** More was asked of a fork than one request may. */
export class OriginLimitError extends UsageError {
  constructor(what: string, expected: string, found: string) {
    super(`fork: ${what}: expected ${expected}, found ${found}`);
  }
}

/** The chain of a data directory has another origin than the one that is given. */
export class OriginConflictError extends ConflictError {
  constructor(expected: string, found: string) {
    super(
      `fork: the chain of this data directory begins with ${expected}, not ${found}: name another --data`,
    );
  }
}
