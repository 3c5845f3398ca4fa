/**
 * A process that seals a log and kills itself after a number of steps. Arguments: directory of the log, steps. Exits
 * with 0 if nothing is left to seal before.
 */
import { openLogStore } from '../../../src/log/sqlite/log-store.ts';
import { sealSegments } from '../../../src/log/sqlite/sealing/seal-segments.ts';
import { TOPIC } from './test-steps.ts';

const [directory = '', steps = ''] = process.argv.slice(2);
let left = Number(steps);
for (const step of sealSegments(openLogStore(directory), TOPIC)) {
  process.stdout.write(`${step}\n`);
  if (--left === 0) process.kill(process.pid, 'SIGKILL');
}
