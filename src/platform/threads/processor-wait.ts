import { readFileSync } from 'node:fs';

/** For the reading thread: time on a processor, time ready and waiting for one, both nanoseconds; time slices. */
const FILE = '/proc/thread-self/schedstat';

/**
 * Time that this thread was ready and waited for a processor since its start, ms. Always 0 if the system does not
 * report it (not Linux, or a kernel without scheduler statistics).
 */
export function processorWaitMs(): number {
  try {
    return Number(readFileSync(FILE, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
