/**
 * The simulation of lite servers with faults: `npm run test:live -- --seed N --minutes M`. The source follows a growing
 * chain by four servers, of which one to three are faulty, and every step is compared with the chain.
 */
import { parseArgs } from 'node:util';
import { simulateLive } from './simulate-live.ts';

const USAGE = `usage: npm run -s test:live -- [options]

  --seed N     chooses the faults (default 1; even: ordinary signatures, odd: simplex)
  --minutes M  length of the run (default 3)
  --short      the run of CI: --seed 1 --minutes 1
  --verbose    print each phase with the faults of its servers

The last line is \`faults N, steps N, differences N\`. The exit code is 0 only without differences, and if no step took longer
than 2 s while a server was good.
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const seed = values.short ? 1 : Number(values.seed);
const minutes = values.short ? 1 : Number(values.minutes);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const result = await simulateLive({
  seed,
  minutes,
  onPhase: (note) => {
    if (values.verbose) process.stderr.write(`${note}\n`);
  },
  onDifference: (text) => process.stderr.write(`DIFFERENCE ${text}\n`),
});
const { faults, steps, differences, stops, longestMs, longestIn } = result;
process.stderr.write(`longest step ${longestMs} ms (${longestIn}); steps over 2 s: ${stops}\n`);
process.stdout.write(`faults ${faults}, steps ${steps}, differences ${differences}\n`);
process.exitCode = differences === 0 && stops === 0 ? 0 : 1;
