import { DataError, UnavailableError } from '../platform/errors/error-kinds.ts';

/** The local chain came upon what it cannot make a block of: a fault of localnet itself. */
export class LocalnetError extends DataError {
  readonly what: string;
  readonly expected: string;
  readonly found: string;

  constructor(what: string, expected: string, found: string, options?: ErrorOptions) {
    super(`localnet: ${what}: expected ${expected}, found ${found}`, options);
    this.what = what;
    this.expected = expected;
    this.found = found;
  }
}

/** The chain takes no calls before its steps are read: only then its position is known. */
export class NotStartedError extends UnavailableError {
  constructor() {
    super('localnet: no reader of the chain yet');
  }
}
