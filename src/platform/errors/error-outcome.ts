import { type ErrorOutcome, KnownError } from './error-kinds.ts';

/** Outcome of an error without a kind. */
const UNKNOWN: ErrorOutcome = { isRetriable: false, exitCode: 1, httpStatus: 500 };

/** Returns the outcome of anything thrown. */
export function getOutcome(error: unknown): ErrorOutcome {
  return error instanceof KnownError ? error : UNKNOWN;
}

/** True if the error, or an error that caused it, may not happen again: a migration that the store interrupted, for example. */
export function isRetriable(error: unknown): boolean {
  if (getOutcome(error).isRetriable) return true;
  return error instanceof Error && error.cause !== undefined && isRetriable(error.cause);
}
