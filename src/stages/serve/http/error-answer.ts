import { StoreError, StoreTimeoutError } from '../../../platform/clickhouse/store-errors.ts';
import { type ErrorBody, errorBody, HttpError } from './http-error.ts';

/** What a failed request is answered with, and whether it is the server's fault and belongs into the log. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly logged: boolean;
}

/** Fastify's own errors (a bad address, a body too large) carry a status. */
function statusOf(error: unknown): number | null {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  return typeof status === 'number' ? status : null;
}

/**
 * The status and body of an error. The texts of the store stay in the log: they name tables and may hold values.
 * Statuses as the real server has them (v3-endpoints.md 1.4): time-outs and failures of the database are 500.
 */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof HttpError) return answer(error.status, error.message, false);
  const status = statusOf(error);
  if (status !== null && status < 500) return answer(status, (error as Error).message, false);
  if (error instanceof StoreTimeoutError) {
    return answer(500, 'internal server error: the query took longer than its time limit', true);
  }
  if (error instanceof StoreError) {
    return answer(500, `internal server error: the database failed (${error.type} ${error.code})`, true);
  }
  return answer(500, 'internal server error: unexpected failure', true);
}

function answer(status: number, text: string, logged: boolean): ErrorAnswer {
  return { status, body: errorBody(status, text), logged };
}
