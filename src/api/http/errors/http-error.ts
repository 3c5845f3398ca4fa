import { type ErrorKind, KnownError } from '../../../platform/errors/error-kinds.ts';

/** An answer other than 200: the status and the text of the documented error body. Its kind follows from the status. */
export class HttpError extends KnownError {
  readonly status: number;
  /** Seconds, for the header `Retry-After`; null: none, or set by the refusing code. */
  readonly retryAfter: number | null = null;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }

  get errorKind(): ErrorKind {
    if (this.status < 500) return 'usage';
    return this.status === 503 ? 'unavailable' : 'data';
  }

  override get httpStatus(): number {
    return this.status;
  }
}

/** The index lacks something that the answer needs: 500, and what is missing. Clients ask again (errors-and-limits.md 2). */
export class NotHeldError extends HttpError {
  /** What is missing, with its address or hash. */
  readonly missing: string;

  constructor(missing: string) {
    super(500, `LITE_SERVER_NOTREADY: ${missing}`);
    this.missing = missing;
  }
}

/** More work than the server takes on: 503, and when to come again. */
export class OverloadedError extends HttpError {
  override readonly retryAfter: number;

  constructor(message: string, retryAfter = 1) {
    super(503, message);
    this.retryAfter = retryAfter;
  }
}

/** More was asked for than one answer holds: 422. */
export class AnswerTooLargeError extends HttpError {
  constructor() {
    super(422, 'the answer would be too large: ask for fewer rows');
  }
}

/** The body of every v3 error (errors-and-limits.md 1): status and text. */
export interface ErrorBody {
  readonly code: number;
  readonly error: string;
}

export function errorBody(status: number, message: string): ErrorBody {
  return { code: status, error: message };
}
