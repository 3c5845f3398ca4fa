import { CellError } from '../boc/cell-error.ts';
import type { Json, Reading } from './reading.ts';

/**
 * Reads a value and continues after it. On failure, returns the error and restores the position.
 * @throws LimitError
 */
export function attempt(reading: Reading, read: () => Json): Json | CellError {
  const start = reading.slice;
  const trial = start.clone();
  try {
    const value = reading.in(trial, () => reading.deeper(read));
    start.skipBits(trial.bitPosition - start.bitPosition);
    start.skipRefs(trial.refPosition - start.refPosition);
    return value;
  } catch (error) {
    if (error instanceof CellError) return error;
    throw error;
  }
}
