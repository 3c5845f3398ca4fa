import { DataError } from '../../platform/errors/error-kinds.ts';

/** A decoder stopped inside a record: its earlier rows are invalid. */
export class DecoderStoppedError extends DataError {
  constructor(key: string, cause: Error) {
    super(`${key}: ${cause.message}`, { cause });
  }
}
