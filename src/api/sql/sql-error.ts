import { UsageError } from '../../platform/errors/error-kinds.ts';
/** A refusal in ClickHouse's words: clients read code and name from it. */
export class SqlError extends UsageError {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, kind: string, text: string) {
    super(`Code: ${code}. DB::Exception: ${text}. (${kind})`);
    this.status = status;
    this.code = code;
  }
}

/** An address has failed to log in too often. */
export class TooManyLoginsError extends SqlError {
  /** Seconds after which an attempt is allowed. */
  readonly retryAfter: number;

  constructor(address: string, leftMs: number) {
    const seconds = Math.ceil(leftMs / 1_000);
    super(429, 201, 'QUOTA_EXCEEDED', `Too many failed logins from ${address}: retry in ${seconds} seconds`);
    this.retryAfter = seconds;
  }
}

export const wrongLogin = (name: string) =>
  new SqlError(
    401,
    516,
    'AUTHENTICATION_FAILED',
    `${name}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
export const tooManyQueries = (name: string, most: number) =>
  new SqlError(
    429,
    202,
    'TOO_MANY_SIMULTANEOUS_QUERIES',
    `Too many simultaneous queries of ${name}: maximum ${most}`,
  );
export const tooLargeBody = (most: number) =>
  new SqlError(413, 62, 'SYNTAX_ERROR', `the statement is larger than ${most} bytes`);
export const notReady = (reason: string) => new SqlError(503, 210, 'NETWORK_ERROR', reason);
