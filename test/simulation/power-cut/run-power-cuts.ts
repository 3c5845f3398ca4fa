/**
 * The power-cut simulation: `npm run -s test:power-cut -- --cuts 50 [--seed N] [--source SPEC --last N]
 * [--hot-epochs N] [--cold] [--short]`. A server
 * indexes and fills its look-up index while every sync and every name is recorded. At random moments it works out what a
 * disk would hold, and goes on from a copy of that: `verify`, `verify --repair` if it finds something, and a server whose
 * tables and look-up index must equal undisturbed ones.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../../src/platform/observability/progress.ts';
import { served } from '../crash/crash-source.ts';
import { canRecord } from './build-recorder.ts';
import { SHORT_RUN, simulatePowerCuts } from './simulate-power-cuts.ts';

const PACKS = resolve(import.meta.dirname, '../../../../shared/data/blocks/packs');

/** The last masterchain block of the packs. */
const LAST = '99';

const USAGE =
  'usage: npm run -s test:power-cut -- [--cuts N] [--seed N] [--source SPEC --last N] [--hot-epochs N] [--cold] [--short] [--help]\n' +
  '  --last N   the last masterchain block of --source\n' +
  '  --hot-epochs N  newest epochs whose raw blocks stay in the store, 0: all (default: by the seed)\n' +
  '  --cold     old parts of tables move to a cold folder (default: in some rounds, by the seed)\n';

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    source: { type: 'string', default: `archive:${PACKS}` },
    last: { type: 'string', default: LAST },
    'hot-epochs': { type: 'string' },
    cold: { type: 'boolean' },
    // The run of CI.
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const hot = values['hot-epochs'];
const asked = {
  cuts: Number(values.cuts),
  seed: Number(values.seed),
  hotEpochs: hot === undefined ? undefined : Number(hot),
  isCold: values.cold,
};
const last = Number(values.last);
const { cuts, seed, hotEpochs, isCold } = values.short ? SHORT_RUN : asked;
if (cuts < 1 || ![cuts, seed, last, hotEpochs ?? 0].every(Number.isSafeInteger)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
if (!canRecord()) {
  process.stderr.write('the power-cut simulation needs Linux and gcc: skipped\n');
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const progress = createProgress('cuts');
const results = await simulatePowerCuts({
  cuts,
  seed,
  source: served(values.source, last),
  hotEpochs,
  isCold,
  onCut: (result, done) => {
    const repaired = result.isRepaired ? `repaired (${result.found[0]})` : 'whole';
    progress.update(done, cuts, `${result.layout} file system, ${result.atMs} ms: ${repaired}`);
    if (result.wrong.length > 0)
      process.stderr.write(
        `FAILED seed ${result.seed}, ${result.layout} file system, ${result.atMs} ms\n  ${result.wrong.join('\n  ')}\n  kept ${result.directory}\n`,
      );
  },
}).finally(() => progress.stop());
const failed = results.filter(({ wrong }) => wrong.length > 0).length;
const repaired = results.filter(({ isRepaired }) => isRepaired).length;
const cold = results.reduce((sum, { coldEpochs }) => sum + coldEpochs, 0);
process.stderr.write(`seed ${seed}; ${repaired} of ${results.length} needed the repair\n`);
process.stderr.write(`epochs whose raw blocks were in sealed files only: ${cold}\n`);
const moved = results.reduce((sum, { coldParts }) => sum + coldParts, 0);
process.stderr.write(`parts in cold folders: ${moved}\n`);
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
// Nothing was tested of what the option asks for.
const isUnmoved = isCold === true && moved === 0;
if (isUnmoved) process.stderr.write('no part moved to a cold folder\n');
process.exitCode = failed === 0 && !isUnmoved ? 0 : 1;
