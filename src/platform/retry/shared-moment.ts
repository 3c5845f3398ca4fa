/** A moment that is nearer than this part of the interval is left out: timers may be a little early. */
const TOO_NEAR = 1 / 16;

/**
 * Milliseconds until the next moment of those that come every `everyMs`: the same moments for all in the process who repeat
 * something at that interval, so that what they ask for can be done together.
 */
export function untilSharedMoment(everyMs: number, now: number = performance.now()): number {
  const left = everyMs - (now % everyMs);
  return left < everyMs * TOO_NEAR ? left + everyMs : left;
}
