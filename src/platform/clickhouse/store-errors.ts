import { ClickHouseError } from '@clickhouse/client';
import { type ErrorKind, KnownError } from '../errors/error-kinds.ts';
import { cut } from '../observability/error-facts.ts';
import { RefusedStatement } from './http-reader.ts';

/** Facts of a failed request, carried by every error of the store. */
export interface RequestFacts {
  /** Name of the caller, as in `log_comment`. */
  readonly route: string;
  readonly queryId: string;
}

/** A failure in ClickHouse's terms. Without an answer: `code` 0, and `type` `CLIENT` or the connection's code. */
export interface StoreFailure {
  readonly code: number;
  readonly type: string;
  readonly message: string;
}

/** The store refused or failed a request. `code` and `type`: see `StoreFailure`. Its kind follows from the code. */
export class StoreError extends KnownError {
  readonly code: number;
  readonly type: string;
  readonly route: string;
  readonly queryId: string;

  constructor({ code, type, message }: StoreFailure, facts: RequestFacts, cause?: unknown) {
    super(`${facts.route} (${facts.queryId}): ${type} ${code}: ${cut(message)}`, { cause });
    this.code = code;
    this.type = type;
    this.route = facts.route;
    this.queryId = facts.queryId;
  }

  get errorKind(): ErrorKind {
    return TRANSIENT_CODES.has(this.code) ? 'unavailable' : 'data';
  }

  override get httpStatus(): number {
    return isOverload(this) ? 503 : 500;
  }
}

/** The time limit passed: the server's (codes 159, 160) or, without any answer, the client's. */
export class StoreTimeoutError extends StoreError {
  override get errorKind(): ErrorKind {
    return 'unavailable';
  }
}

/** No connection, or a connection that broke: whether a statement took effect is not known. */
export class StoreUnavailableError extends StoreError {
  override get errorKind(): ErrorKind {
    return 'unavailable';
  }

  override get httpStatus(): number {
    return 503;
  }
}

/** TIMEOUT_EXCEEDED, TOO_SLOW */
const TIMEOUT_CODES: ReadonlySet<number> = new Set([159, 160]);

/**
 * Codes after which the same statement may succeed later: 32 ATTEMPT_TO_READ_AFTER_EOF (another server of the cluster
 * went away within a statement), 202 TOO_MANY_SIMULTANEOUS_QUERIES, 203 NO_FREE_CONNECTION, 209 SOCKET_TIMEOUT, 210
 * NETWORK_ERROR, 225 NO_ZOOKEEPER, 236 ABORTED, 241 MEMORY_LIMIT_EXCEEDED, 242 TABLE_IS_READ_ONLY, 243
 * NOT_ENOUGH_SPACE, 252 TOO_MANY_PARTS, 279 ALL_CONNECTION_TRIES_FAILED (another server of the cluster is away), 285
 * TOO_FEW_LIVE_REPLICAS, 286 UNSATISFIED_QUORUM, 319 UNKNOWN_STATUS_OF_INSERT, 394 QUERY_WAS_CANCELLED, 439
 * CANNOT_SCHEDULE_TASK, 999 KEEPER_EXCEPTION.
 */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([
  32, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 279, 285, 286, 319, 394, 439, 999,
]);

/** Node's and the HTTP parser's codes of a connection that was refused, broke, or was cut within an answer. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

function connectionCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof AggregateError && error.errors.length > 0) return connectionCode(error.errors[0]);
  if ('code' in error && typeof error.code === 'string' && CONNECTION_CODES.has(error.code))
    return error.code;
  return error.cause === undefined ? null : connectionCode(error.cause);
}

/** The server's name of a code, at the end of its text before the version; texts from other servers contain theirs. */
const NAME_OF_CODE = /\(([A-Z][A-Z0-9_]+)\) \(version[^()]*\)\s*$/;

function refusal(failure: StoreFailure, facts: RequestFacts, cause: unknown): StoreError {
  const Kind = TIMEOUT_CODES.has(failure.code) ? StoreTimeoutError : StoreError;
  return new Kind(failure, facts, cause);
}

/** Gives an error of the client its type, by code and never by text. */
export function toStoreError(error: unknown, facts: RequestFacts): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ClickHouseError)
    return refusal({ code: Number(error.code), type: error.type ?? 'UNKNOWN', message }, facts, error);
  if (error instanceof RefusedStatement) {
    const type = NAME_OF_CODE.exec(message)?.[1] ?? 'UNKNOWN';
    return refusal({ code: error.code, type, message }, facts, error);
  }
  const connection = connectionCode(error);
  if (connection) return new StoreUnavailableError({ code: 0, type: connection, message }, facts, error);
  // A server that goes away answers with a status and no word of the store's.
  if (message === '')
    return new StoreUnavailableError({ code: 0, type: 'CLIENT', message: 'an empty answer' }, facts, error);
  return new StoreError({ code: 0, type: 'CLIENT', message }, facts, error);
}

/** 202 TOO_MANY_SIMULTANEOUS_QUERIES, 203 NO_FREE_CONNECTION, 241 MEMORY_LIMIT_EXCEEDED, 439 CANNOT_SCHEDULE_TASK */
const OVERLOAD_CODES: ReadonlySet<number> = new Set([202, 203, 241, 439]);

/** Whether the store refused because it has too much to do. */
export function isOverload(error: unknown): boolean {
  return error instanceof StoreError && OVERLOAD_CODES.has(error.code);
}

/**
 * 158 TOO_MANY_ROWS: the statement would read more than allowed. 164 READONLY: the store of an older release, whose
 * reader may not limit the rows of a statement.
 */
const UNBOUNDED_CODES: ReadonlySet<number> = new Set([158, 164]);

/** True if the store refused before reading, because of too many rows or an unknown number. */
export function readsTooMuch(error: unknown): boolean {
  return error instanceof StoreError && UNBOUNDED_CODES.has(error.code);
}

/** TOO_MANY_ROWS_OR_BYTES: the result is larger than the statement's limits. */
const TOO_LARGE = 396;

/** Whether the store refused because the result is larger than the statement allows. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof StoreError && error.code === TOO_LARGE;
}

/**
 * Codes of files that are cut, altered or gone: ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA, CHECKSUM_DOESNT_MATCH,
 * CANNOT_READ_FROM_FILE_DESCRIPTOR, CANNOT_OPEN_FILE, FILE_DOESNT_EXIST, INCORRECT_DATA, UNKNOWN_CODEC (of a changed
 * header), NO_FILE_IN_DATA_PART, CORRUPTED_DATA, CANNOT_DECOMPRESS.
 */
const UNREADABLE: ReadonlySet<number> = new Set([32, 33, 40, 74, 76, 107, 117, 432, 226, 246, 271]);

/** The statement met files that do not hold what they did. */
export function isUnreadable(error: unknown): error is StoreError {
  return error instanceof StoreError && UNREADABLE.has(error.code);
}
