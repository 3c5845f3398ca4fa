import { LiteServerError } from '../../liteapi/lite-errors.ts';
import { ConflictError, DataError, UnavailableError } from '../../platform/errors/error-kinds.ts';

/** Codes of a lite server that has not applied the block yet, but may have it in a moment. */
const NOT_READY: ReadonlySet<number> = new Set([651, 652]);

/** Kinds of failures, as status and metrics show them. */
export type FailureKind = 'data' | 'error' | 'network' | 'not_ready' | 'refused' | 'silent';

/** Data of a server that failed a check: it is dropped and requested elsewhere. */
export class RefusedDataError extends DataError {
  readonly server: string;

  constructor(server: string, what: string, options: { readonly cause: unknown }) {
    const { cause } = options;
    super(
      `data of ${server} refused: ${what}: ${cause instanceof Error ? cause.message : String(cause)}`,
      options,
    );
    this.server = server;
  }
}

/** A server of another network than the configuration's. */
export class ForeignServerError extends ConflictError {
  constructor(server: string, expected: string, found: string) {
    super(`${server} is of another network: its zerostate should be ${expected}, found ${found}`);
  }
}

/** Every server was asked, some of them repeatedly, and none delivered. */
export class NoServerError extends UnavailableError {
  constructor(what: string, options: ErrorOptions) {
    const { cause } = options;
    super(`no lite server delivered ${what}${cause instanceof Error ? `: ${cause.message}` : ''}`, options);
  }
}

/** Kind of a failure. A server that answers an unknown type delivers data that cannot be used. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'error';
  if (error instanceof LiteServerError) return NOT_READY.has(error.code) ? 'not_ready' : 'error';
  switch (error.name) {
    case 'RefusedDataError':
    case 'UnknownAnswerError':
      return 'data';
    case 'AnswerTimeoutError':
      return 'silent';
    case 'ForeignServerError':
      return 'network';
    case 'ConnectionClosedError':
      return 'refused';
    default:
      return 'error';
  }
}
