import {
  isOverload,
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../platform/clickhouse/store-errors.ts';
import { getOutcome } from '../../../platform/errors/error-outcome.ts';
import { ProjectionUnavailableError } from '../../version-vector.ts';
import { ClientGoneError, DeadlineError } from './caller-errors.ts';
import { type ErrorBody, errorBody, HttpError, OverloadedError } from './http-error.ts';

/** Answer to a failed request, and whether the failure is the server's and is logged. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly logged: boolean;
  /** Seconds for the header `Retry-After`; null: none. */
  readonly retryAfter: number | null;
}

/** A store that is started again answers after about so long. */
const AWAY_RETRY_SECONDS = 2;

/** A refusal for too much work, by the server or by its store; null for any other error. */
export function toOverload(error: unknown): OverloadedError | null {
  if (error instanceof OverloadedError) return error;
  return isOverload(error) ? new OverloadedError('the database is busy') : null;
}

/** Fastify's own errors (a bad address, a body too large) carry a status. */
function getStatus(error: unknown): number | null {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/** Errors whose text is written for clients. */
function isPublic(error: unknown): error is Error {
  return (
    error instanceof HttpError ||
    error instanceof ProjectionUnavailableError ||
    error instanceof ClientGoneError
  );
}

/**
 * The status and body of an error, by its kind (`OUTCOMES`). The texts of the store stay in the log: they name tables and
 * may hold values. Statuses as the real server has them (v3-endpoints.md 1.4): time-outs and failures of the database are
 * 500. A database that is away comes back: 503.
 */
export function errorAnswer(error: unknown): ErrorAnswer {
  const busy = toOverload(error);
  if (busy) return { ...answer(busy.status, busy.message, busy !== error), retryAfter: busy.retryAfter };
  const { httpStatus } = getOutcome(error);
  if (isPublic(error)) {
    const retryAfter = 'retryAfter' in error ? (error.retryAfter as number | null) : null;
    return { ...answer(httpStatus, error.message, false), retryAfter };
  }
  const status = getStatus(error);
  if (status !== null && status < 500) return answer(status, (error as Error).message, false);
  // No other error is the client's.
  const own = answer(Math.max(500, httpStatus), getInternalText(error, httpStatus), true);
  return { ...own, retryAfter: httpStatus === 503 ? AWAY_RETRY_SECONDS : null };
}

function getInternalText(error: unknown, status: number): string {
  if (error instanceof StoreTimeoutError || error instanceof DeadlineError)
    return 'internal server error: the query took longer than its time limit';
  if (error instanceof StoreUnavailableError) return 'the database is away';
  if (error instanceof StoreError)
    return `internal server error: the database failed (${error.type} ${error.code})`;
  return status === 503
    ? 'a server that the answer needs is away'
    : 'internal server error: unexpected failure';
}

function answer(status: number, text: string, logged: boolean): ErrorAnswer {
  return { status, body: errorBody(status, text), logged, retryAfter: null };
}
