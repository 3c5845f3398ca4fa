import {
  isOverload,
  StoreError,
  StoreTimeoutError,
  StoreUnavailableError,
} from '../../../platform/clickhouse/store-errors.ts';
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

/** 501 if the projection is off. 503 if it is being built or catches up: a later request can succeed. */
function unavailableStatus({ state }: ProjectionUnavailableError): number {
  return state === 'off' ? 501 : 503;
}

/** Fastify's own errors (a bad address, a body too large) carry a status. */
function getStatus(error: unknown): number | null {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/**
 * The status and body of an error. The texts of the store stay in the log: they name tables and may hold values.
 * Statuses as the real server has them (v3-endpoints.md 1.4): time-outs and failures of the database are 500. A database
 * that is away comes back: 503.
 */
export function errorAnswer(error: unknown): ErrorAnswer {
  const busy = toOverload(error);
  if (busy) return { ...answer(busy.status, busy.message, busy !== error), retryAfter: busy.retryAfter };
  if (error instanceof ProjectionUnavailableError)
    return { ...answer(unavailableStatus(error), error.message, false), retryAfter: error.retryAfter };
  if (error instanceof HttpError)
    return { ...answer(error.status, error.message, false), retryAfter: error.retryAfter };
  const status = getStatus(error);
  if (status !== null && status < 500) return answer(status, (error as Error).message, false);
  if (error instanceof ClientGoneError) return answer(499, error.message, false);
  if (error instanceof StoreTimeoutError || error instanceof DeadlineError) {
    return answer(500, 'internal server error: the query took longer than its time limit', true);
  }
  if (error instanceof StoreUnavailableError) {
    return { ...answer(503, 'the database is away', true), retryAfter: AWAY_RETRY_SECONDS };
  }
  if (error instanceof StoreError) {
    return answer(500, `internal server error: the database failed (${error.type} ${error.code})`, true);
  }
  return answer(500, 'internal server error: unexpected failure', true);
}

function answer(status: number, text: string, logged: boolean): ErrorAnswer {
  return { status, body: errorBody(status, text), logged, retryAfter: null };
}
