/** The local chain came upon what it cannot make a block of: a fault of localnet itself. */
export class LocalnetError extends Error {
  override readonly name = 'LocalnetError';
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

/** The chain takes no calls before somebody reads its steps: only then it is known where it goes on. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError';

  constructor() {
    super('localnet: nobody reads the chain yet');
  }
}
