/**
 * Tests the replay law over many seeds: `npm run -s test:replay -- --seeds N --seed S`. Random chains, decoders,
 * ranges, interruptions, and growing heads; after every replay each table must equal a fresh index. Some replays run in
 * processes that are killed. Exits with 0 only without differences.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SHORT_RUN, simulateReplays } from './simulate-replays.ts';

const USAGE = `usage: npm run -s test:replay -- [options]

  --seeds N       rounds (default 20)
  --seed S        chooses them (default 1)
  --kill-every K  after K of them comes one with processes and kill -9; 0: none does (default 5)
  --shared DIR    the shared data (default ../shared/data)
  --short         the run of CI: --seeds ${SHORT_RUN.seeds} --seed ${SHORT_RUN.seed} --kill-every ${SHORT_RUN.killEvery}, with ${SHORT_RUN.kills} kills instead of 5
  --json          print the report as one JSON object before the last line

The last line is \`N passed, N failed\` and counts rounds. The exit code is 0 only if no round differs.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    'kill-every': { type: 'string', default: '5' },
    shared: { type: 'string', default: resolve(import.meta.dirname, '../../../../shared/data') },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const { seeds, seed, killEvery, kills } = {
  seeds: Number(values.seeds),
  seed: Number(values.seed),
  killEvery: Number(values['kill-every']),
  kills: undefined,
  ...(values.short && SHORT_RUN),
};
if (![seeds, seed, killEvery].every(Number.isSafeInteger) || seeds < 1 || killEvery < 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}

// Children die with this process: see die-with-runner.ts.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

const report = await simulateReplays({
  seeds,
  seed,
  killEvery,
  ...(kills !== undefined && { kills }),
  shared: values.shared,
  onRound: (text) => process.stderr.write(`${text}\n`),
});
const { rounds, failedRounds, seconds, partial, cuts, grown, trimmed, rollbacks } = report;
for (const difference of report.differences) process.stderr.write(`DIFFERENCE ${difference}\n`);
process.stderr.write(
  `seed ${seed}: ${rounds} rounds in ${seconds} s; ${partial} replays of a part, ${cuts} cuts, ${report.kills} kills, ` +
    `${grown} steps at the head meanwhile, ${trimmed} epochs freed, ${rollbacks} rollbacks\n`,
);
const facts = `seeds ${seeds}, replays ${report.replays}, compared ${report.compared}, differences ${report.differences.length}`;
process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `${facts}\n`);
process.stdout.write(`${rounds - failedRounds} passed, ${failedRounds} failed\n`);
process.exit(report.differences.length === 0 ? 0 : 1);
