import { availableParallelism } from 'node:os';
import type { ServeContext } from '../serve-context.ts';
import { Admission } from './admission.ts';
import type { ReadScope } from './read-scope.ts';

/** Rows beyond which an answer is a large one: it costs the store and the main thread as much as a hundred look-ups. */
export const LARGE_ROWS = 200;
/** Large answers that wait for each that is made. */
const QUEUE_FACTOR = 32;

const LARGE = new WeakMap<ServeContext, Admission>();

/**
 * Makes an answer of `rows` rows. Large ones are made a few at a time, from their first statement to their last byte, and their clients take turns:
 * who asks for little never waits behind them.
 *
 * @throws OverloadedError too many large answers wait, or this one for too long; the reason of the caller's signal
 */
export function makeInTurn<T>(
  { context, caller }: Pick<ReadScope, 'context' | 'caller'>,
  rows: number,
  make: () => Promise<T>,
): Promise<T> {
  // More rows than there may be are refused, which costs nothing.
  const isLarge = rows > LARGE_ROWS && rows <= context.settings.maxLimit;
  return isLarge ? admissionOf(context).run(caller, false, make) : make();
}

/** One in the store and one in the main thread keep two cores busy. */
function admissionOf(context: ServeContext): Admission {
  const found = LARGE.get(context);
  if (found) return found;
  const running = Math.max(2, Math.floor(availableParallelism() / 2));
  const admission = new Admission({ running, waiting: running * QUEUE_FACTOR });
  LARGE.set(context, admission);
  return admission;
}
