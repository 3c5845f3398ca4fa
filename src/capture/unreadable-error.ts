import { DataError } from '../platform/errors/error-kinds.ts';

/** A file or entry that should be a block or a state and is none. */
export class UnreadableError extends DataError {
  readonly origin: string;

  constructor(origin: string, cause: unknown) {
    super(`${origin} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.origin = origin;
  }
}
