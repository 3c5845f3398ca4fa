import type { ServeContext } from '../serve-context.ts';
import { admissionOfServer, HEAVY_SLOTS } from './admission.ts';
import type { ReadScope } from './scope.ts';

/** Rows beyond which an answer is a large one: it costs the store and the main thread as much as a hundred look-ups. */
export const LARGE_ROWS = 200;
/** Large answers that wait for each that is made. */
const QUEUE_FACTOR = 32;

const getLargeAdmission = admissionOfServer(() => ({
  running: HEAVY_SLOTS,
  waiting: HEAVY_SLOTS * QUEUE_FACTOR,
}));

/** Whether an answer of so many rows is a large one: its scope is heavy. More than there may be are refused, which costs nothing. */
export function isLarge({ settings }: Pick<ServeContext, 'settings'>, rows: number): boolean {
  return rows > LARGE_ROWS && rows <= settings.maxLimit;
}

/**
 * Makes an answer. A few heavy ones are made at a time, from their first statement to their last byte, with clients in
 * turn: small requests never wait for them.
 *
 * @throws OverloadedError if too many heavy answers wait, or this one for too long; the reason of the caller's signal
 */
export function makeInTurn<T>(
  { context, caller, isHeavy }: Pick<ReadScope, 'context' | 'caller' | 'isHeavy'>,
  make: () => Promise<T>,
): Promise<T> {
  return isHeavy ? getLargeAdmission(context).run(caller, false, make) : make();
}
