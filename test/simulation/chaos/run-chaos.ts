/**
 * The chaos simulation: `npm run -s test:chaos -- --seed N --minutes M [--rounds R] [--json]`. Stages as processes on a
 * real broker and a real store are disturbed while blocks flow; afterwards everything must be what an undisturbed index
 * leaves. Ends with 0 only where nothing differs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgress } from '../../../src/platform/observability/progress.ts';
import { canRunJars } from '../../helpers/kafka-jars.ts';
import { rowsText } from '../common/store-picture.ts';
import { chaosPlan, FAULTS } from './chaos-plan.ts';
import { sharedCorpora, tokenCorpus } from './chaos-world.ts';
import { keptPlans, shortPlans } from './kept-rounds.ts';
import { type ChaosReport, simulateChaos } from './simulate-chaos.ts';

const USAGE = `usage: npm run -s test:chaos -- [options]

  --seed N       chooses the rounds and their faults (default 1)
  --minutes M    no new fault after so many minutes (default 5); what was begun is finished and compared
  --rounds R     at most so many rounds
  --round-seed S one round of this seed alone, as a difference names it
  --kept         the rounds that failed once, alone
  --short        the run of CI: the same, and a round whose servers detect contracts; without the second shared chain
  --blocks DIR   folder of the shared chains: packs/ and private-a/ (default ../shared/data/blocks)
  --json         print the report as one JSON object before the last line

Needs Java, and Maven once for the jars of Kafka. The faults:
${Object.keys(FAULTS)
  .map((kind) => `  ${kind}`)
  .join('\n')}

The last line is \`N passed, N failed\` and counts rounds. The exit code is 0 only if no round differs.
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    rounds: { type: 'string' },
    'round-seed': { type: 'string' },
    blocks: { type: 'string', default: resolve(import.meta.dirname, '../../../../shared/data/blocks') },
    kept: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const seed = Number(values.seed);
const minutes = Number(values.minutes);
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const roundSeeds = values['round-seed'] === undefined ? [] : [Number(values['round-seed'])];
if (
  ![seed, ...roundSeeds].every(Number.isSafeInteger) ||
  !(minutes > 0) ||
  rounds === 0 ||
  Number.isNaN(rounds)
) {
  process.stderr.write(USAGE);
  process.exit(2);
}
if (!canRunJars()) {
  process.stderr.write('no Kafka broker here: Java with Maven is needed\n');
  process.exit(1);
}

// Children die with this process: see die-with-runner.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const progress = createProgress('faults');
const chains = sharedCorpora(resolve(values.blocks, '..'));
const folder = mkdtempSync(join(tmpdir(), 'tonhouse-chaos-chain-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const tokens = await tokenCorpus(join(folder, 'packs'));
// What an undisturbed index leaves is learned of each chain: that takes as long as a round.
const corpora = [chains[0]!, tokens, ...(values.short ? [] : chains.slice(1))];
const kept = values.short ? shortPlans() : values.kept ? keptPlans() : [];
const first = [...roundSeeds.map((of) => chaosPlan(of, corpora)), ...kept];
const most = first.length > 0 ? first.length : rounds;
const report = await simulateChaos({
  seed,
  minutes,
  first,
  corpora,
  ...(most !== undefined && { rounds: most }),
  onProgress: (done, note) => progress.update(done, done, note),
  onDifference: ({ round, plan, what, expected, found, folder }) =>
    process.stderr.write(
      `DIFFERENCE in round ${round} (${plan}): ${what}\n  expected ${expected}\n  found    ${found}\n  kept     ${folder}\n`,
    ),
}).finally(() => progress.stop());

process.stderr.write(summary(report));
const facts = `faults ${report.faults}, differences ${report.differences.length}`;
const failed = new Set(report.differences.map(({ round }) => round)).size;
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${facts}\n`);
process.stdout.write(`${report.rounds - failed} passed, ${failed} failed\n`);
process.exit(report.differences.length === 0 ? 0 : 1);

function summary(found: ChaosReport): string {
  const lines = [
    ...Object.entries(found.byKind).map(([kind, count]) => `${String(count).padStart(5)}  ${kind}`),
    `seed ${found.seed}: ${found.rounds} rounds in ${found.seconds} s, rows compared: ${rowsText(found.rowsCompared)}`,
    `decoders stopped between a journal entry and its insert: ${found.stoppedBeforeInsert.kafka} on Kafka, ${found.stoppedBeforeInsert.embedded} on the embedded log`,
    `blocks delivered again: ${found.blocksDeliveredAgain}`,
    `parts in cold folders: ${found.coldParts}`,
    `ended by themselves: ${JSON.stringify(found.selfEnds)}`,
    ...found.lastWords.map((words) => `  ${words}`),
    `peak memory, MB: ${JSON.stringify(found.peakMemoryMb)}`,
    ...found.leftOut.map((kind) => `left out, because this machine lets nobody mount: ${kind}`),
  ];
  return `${lines.join('\n')}\n`;
}
