import { DataError } from '../../../platform/errors/error-kinds.ts';
import { BocError } from '../../../ton/boc/boc-error.ts';
import { CellError } from '../../../ton/boc/cell-error.ts';

/** A rule found its messages but cannot answer: a fact is missing, or what it must be is not so. The trace's, not ours. */
export class Refusal extends DataError {
  constructor(reason: string) {
    // Most rules refuse, and the refusing line is never shown: a stack trace costs more than the attempt.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The value, which the rule cannot do without. */
export function needed<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Refusal(`${what} is missing`);
  return value;
}

/**
 * That a condition of the rule holds.
 * @throws Refusal
 */
export function demand(condition: boolean, what: string): void {
  if (!condition) throw new Refusal(what);
}

/** Whether an error drops an attempt as the rules foresee it: unreadable body, missing fact, failed condition. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refusal || error instanceof CellError || error instanceof BocError;
}
