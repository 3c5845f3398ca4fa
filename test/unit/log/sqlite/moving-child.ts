/** A process that moves sealed files and kills itself after the first step of a kind. Arguments: the folder of the log, the target, the step. */
import { moveSealed } from '../../../../src/log/sqlite/sealing/move-sealed.ts';

const [sealed = '', to = '', last = ''] = process.argv.slice(2);
await moveSealed(sealed, to, {
  signal: new AbortController().signal,
  onStep({ step }) {
    process.stdout.write(`${step}\n`);
    if (step === last) process.kill(process.pid, 'SIGKILL');
  },
});
