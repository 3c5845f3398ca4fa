import { EventLoopQueue } from './event-loop-queue.ts';

/** A slice of work ends after so long, milliseconds. */
const SLICE_MS = 2;

/** The turns of all long answers of the process: between two slices, whosever they are, everybody else is heard. */
const TURNS = new EventLoopQueue();

/**
 * Like `rows.map(make)`; long work runs in slices that alternate with other long answers, one slice per turn of the
 * event loop.
 */
export async function mapInChunks<T, R>(rows: readonly T[], make: (row: T) => R): Promise<R[]> {
  const made: R[] = [];
  let begun = performance.now();
  for (const row of rows) {
    if (performance.now() - begun > SLICE_MS) {
      await nextTurn();
      begun = performance.now();
    }
    made.push(make(row));
  }
  return made;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => TURNS.take(resolve));
}
