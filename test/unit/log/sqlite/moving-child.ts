/** A process that moves sealed files and kills itself after a number of steps. Arguments: the folder of the log, the target, steps. */
import { moveSealed } from '../../../../src/log/sqlite/sealing/move-sealed.ts';

const [sealed = '', to = '', steps = ''] = process.argv.slice(2);
let left = Number(steps);
await moveSealed(sealed, to, {
  signal: new AbortController().signal,
  onStep({ step }) {
    process.stdout.write(`${step}\n`);
    if (--left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
