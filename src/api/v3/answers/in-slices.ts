import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows made before other requests have their turn: some milliseconds of them. */
const ROWS_AT_ONCE = 100;

/** As `rows.map(make)`; where there are many rows, other requests have their turn in between. */
export async function inSlices<T, R>(rows: readonly T[], make: (row: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % ROWS_AT_ONCE === 0) await nextTurn();
    made.push(make(row));
  }
  return made;
}
