import { readFileSync } from 'node:fs';

/** Of the thread that reads it: time on a processor, time that it was ready and waited for one, both nanoseconds; time slices. */
const FILE = '/proc/thread-self/schedstat';

/**
 * How long this thread was ready to run and waited for a processor since it began, ms: others had it meanwhile. Always 0 where the system does
 * not tell (other systems than Linux; kernels without statistics of their scheduler).
 */
export function processorWaitMs(): number {
  try {
    return Number(readFileSync(FILE, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
