import { DataError, UnavailableError } from '../platform/errors/error-kinds.ts';

/** Error that a lite server answered with. Codes: 651 and 652 not ready, -400 and 0 others; the text is the server's. */
export class LiteServerError extends DataError {
  readonly code: number;
  readonly text: string;

  constructor(code: number, text: string) {
    super(`lite server error ${code}: ${text}`);
    this.code = code;
    this.text = text;
  }
}

/** A server did not answer in time. */
export class AnswerTimeoutError extends UnavailableError {
  constructor(request: string, timeoutMs: number) {
    super(`no answer to ${request} within ${timeoutMs} ms`);
  }
}

/** An answer of another type than the one that the function has, or bytes that are no answer. */
export class UnknownAnswerError extends DataError {
  constructor(request: string, found: string, options?: ErrorOptions) {
    super(`answer to ${request} is ${found}`, options);
  }
}

/** A connection that is closed, or could not be made. */
export class ConnectionClosedError extends UnavailableError {
  constructor(server: string, reason: string, options?: ErrorOptions) {
    super(`connection to ${server}: ${reason}`, options);
  }
}
