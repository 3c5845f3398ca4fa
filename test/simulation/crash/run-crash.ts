/**
 * The crash simulation: `npm run test:crash -- --kills 200 [--seed N] [--source SPEC] [--hot-epochs N] [--cold] [--short] [--json]`.
 * Indexes again and again while processes are killed, and compares every table and raw block with an undisturbed index.
 * Ends with 0 only where nothing differs; data directories that differ are kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../../src/platform/observability/progress.ts';
import { rowsText } from '../common/store-picture.ts';
import { indexed, servedTokens } from './crash-source.ts';
import { SHORT_RUN, simulateCrashes } from './simulate-crashes.ts';

const PACKS = resolve(import.meta.dirname, '../../../../shared/data/blocks/packs');

const USAGE = `usage: npm run -s test:crash -- [options]

  --kills N      kills, pauses and stops, at least (default 200)
  --seed N       chooses them (default 1)
  --source SPEC  what is indexed (default: in turns the packs of mainnet's first blocks, and by servers a local chain with
                 tokens that get methods detect)
  --hot-epochs N newest epochs whose raw blocks stay in the store, 0: all (default: by the seed)
  --cold         old parts of tables move to a cold folder (default: in some runs, by the seed)
  --short        the run of CI: --kills ${SHORT_RUN.kills} --seed ${SHORT_RUN.seed}, each soon after the store is up
  --json         print the result as one JSON object before the last line

The last line is \`N passed, N failed\` and counts runs. The exit code is 0 only if no run differs.
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string' },
    'hot-epochs': { type: 'string' },
    cold: { type: 'boolean' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const hotEpochs = values['hot-epochs'] === undefined ? undefined : Number(values['hot-epochs']);
const asked = { kills: Number(values.kills), seed: Number(values.seed), hotEpochs, isCold: values.cold };
const plan = values.short ? SHORT_RUN : asked;
const { kills, seed } = plan;
if (kills < 1 || ![kills, seed, hotEpochs ?? 0].every(Number.isSafeInteger)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// Children die with this process: see die-with-runner.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const folder = mkdtempSync(join(tmpdir(), 'tonhouse-crash-chain-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const sources =
  values.source === undefined
    ? [indexed(`archive:${PACKS}`), await servedTokens(join(folder, 'packs'))]
    : [indexed(values.source)];

const progress = createProgress('kills');
const result = await simulateCrashes({
  ...plan,
  sources,
  onProgress: (done, note) => progress.update(done, kills, note),
  onDifference: ({ run, seed: planSeed, what, expected, found, directory }) =>
    process.stderr.write(
      `DIFFERENCE in run ${run} (seed ${planSeed}): ${what}\n  expected ${expected}\n  found    ${found}\n  kept     ${directory}\n`,
    ),
}).finally(() => progress.stop());

const kinds = Object.entries(result.byKind).map(([kind, count]) => `${kind} ${count}`);
process.stderr.write(`by kind: ${kinds.join(', ')}; seed ${result.seed}; ${result.seconds} s\n`);
process.stderr.write(`rows compared in each run: ${rowsText(result.rowsOfRun)}\n`);
process.stderr.write(`epochs whose raw blocks were in sealed files only: ${result.coldEpochs}\n`);
process.stderr.write(`parts in cold folders: ${result.coldParts}\n`);
const facts = `kills ${result.kills}, runs ${result.runs}, differences ${result.differences.length}`;
const failed = new Set(result.differences.map(({ run }) => run)).size;
process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${facts}\n`);
process.stdout.write(`${result.runs - failed} passed, ${failed} failed\n`);
// Nothing was tested of what the option asks for.
const isUnsealed = (plan.hotEpochs ?? 0) > 0 && result.coldEpochs === 0;
if (isUnsealed) process.stderr.write('no epoch became cold\n');
const isUnmoved = plan.isCold === true && result.coldParts === 0;
if (isUnmoved) process.stderr.write('no part moved to a cold folder\n');
process.exitCode = result.differences.length === 0 && !isUnsealed && !isUnmoved ? 0 : 1;
