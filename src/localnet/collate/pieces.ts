import { setImmediate } from 'node:timers/promises';

/** Work in pieces of a millisecond or a few, on a machine that has time: between two of them something else may be done. */
export type Pieces<T> = Generator<undefined, T, undefined>;

/** After so long, milliseconds, others are heard. */
const TURN_MS = 2;

/** The work in one go. */
export function inOneGo<T>(pieces: Pieces<T>): T {
  let piece = pieces.next();
  while (!piece.done) piece = pieces.next();
  return piece.value;
}

/** The work, while the events of this thread are heard between its pieces. */
export async function runInPieces<T>(pieces: Pieces<T>): Promise<T> {
  let begun = performance.now();
  let piece = pieces.next();
  while (!piece.done) {
    if (performance.now() - begun >= TURN_MS) {
      await setImmediate();
      begun = performance.now();
    }
    piece = pieces.next();
  }
  return piece.value;
}
