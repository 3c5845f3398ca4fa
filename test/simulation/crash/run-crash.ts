/**
 * The crash simulation: `npm run test:crash -- --kills 200 [--seed N] [--source SPEC] [--json]`. Indexes again and
 * again while processes are killed, and compares every table with an undisturbed index. Ends with 0 only where
 * nothing differs; data directories that differ are kept.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../../src/platform/observability/progress.ts';
import { rowsText } from '../common/store-picture.ts';
import { simulateCrashes } from './simulate-crashes.ts';

const PACKS = resolve(import.meta.dirname, '../../../../shared/data/blocks/packs');

const USAGE = `usage: npm run -s test:crash -- [options]

  --kills N      kills, pauses and stops, at least (default 200)
  --seed N       chooses them (default 1)
  --source SPEC  what is indexed (default: the packs of mainnet's first blocks)
  --json         print the result as one JSON object instead of the last line

The last line is \`kills N, runs N, differences N\`; the exit code is 0 only without a difference.
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string', default: `archive:${PACKS}` },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const kills = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// Children die with this process: see die-with-runner.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const progress = createProgress('kills');
const result = await simulateCrashes({
  kills,
  seed,
  source: values.source,
  onProgress: (done, note) => progress.update(done, kills, note),
  onDifference: ({ run, seed: planSeed, what, expected, found, directory }) =>
    process.stderr.write(
      `DIFFERENCE in run ${run} (seed ${planSeed}): ${what}\n  expected ${expected}\n  found    ${found}\n  kept     ${directory}\n`,
    ),
}).finally(() => progress.stop());

const kinds = Object.entries(result.byKind).map(([kind, count]) => `${kind} ${count}`);
process.stderr.write(`by kind: ${kinds.join(', ')}; seed ${result.seed}; ${result.seconds} s\n`);
process.stderr.write(`rows compared in each run: ${rowsText(result.rowsOfRun)}\n`);
const last = `kills ${result.kills}, runs ${result.runs}, differences ${result.differences.length}`;
process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${last}\n`);
process.exitCode = result.differences.length === 0 ? 0 : 1;
