/** A moment that is nearer than this part of the interval is left out: timers may be a little early. */
const TOO_NEAR = 1 / 16;

/**
 * Milliseconds until the next multiple of `everyMs`: all tasks of the process with that interval share these moments,
 * so that their requests can be combined.
 */
export function untilSharedMoment(everyMs: number, now: number = performance.now()): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * TOO_NEAR ? left + everyMs : left;
}
