import { setPriority } from 'node:os';

/** Those who answer go first: a replay and, of the store, what works for it, yield the processor. */
export const NICENESS = 15;
/** The same for writes of new steps: lower, since they must keep up with the chain while answers run. */
export const WRITER_NICENESS = 5;

/** From now on this process yields; threads that are started later do as well. */
export function yieldProcessor(): void {
  setPriority(NICENESS);
}
