/** `npm run bench:live`: how soon the API has a block of a live network, and what that costs. */
import { parseArgs } from 'node:util';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { note } from './common/report.ts';
import { type LiveRun, measureLive, STEP_MS, stepsFor } from './live/measure-live.ts';
import { printLive } from './live/print-live.ts';
import { withFollower } from './live/with-follower.ts';

const HELP = `bench:live: the delay from a block of a live network to the API, and what following costs

A signed chain of four shards is generated and offered by a lite server in a process of its own, one step every
${STEP_MS} ms. tonhouse up --source liteserver follows it in another process, with default settings and all projections. Clients
in the process of the bench use the API: one polls the head every 25 ms, eight read lists and accounts, ten have streams.
Up to 250 transactions/s are mixed traffic that the TVM executes, higher rates are payouts to accounts without code.

Head lag: time from the moment at which the lite server has a masterchain block until the polling client has read the
block's transactions from the API. rss_start_mb and rss_end_mb: resident memory of the tonhouse process.

  --tx-per-s N      transactions per second (default: one run with 60, then one with 2500)
  --minutes N       length of the measurement (default 1; 30 for the record)
  --json            JSON instead of tables: an object for one rate, a list for both
  --help            this text
`;

const RATES = [60, 2_500];

async function measureRate(txPerS: number, minutes: number): Promise<LiveRun> {
  note(`${txPerS} transactions a second`);
  const perStep = Math.max(1, Math.round((txPerS * STEP_MS) / 1_000));
  const seconds = minutes * 60;
  const chain = { steps: stepsFor(seconds), perStep, synthetic: txPerS > 250 };
  const plan = { ...chain, rttMs: 0, servers: 1, trust: 'signatures' as const, chain: null, cpuProf: null };
  return { txPerS, ...(await withFollower(plan, (follower) => measureLive(follower, seconds))) };
}

try {
  const { values } = parseArgs({
    options: {
      'tx-per-s': { type: 'string' },
      minutes: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const minutes = count('minutes', values.minutes);
    const rate = values['tx-per-s'];
    const runs: LiveRun[] = [];
    for (const one of rate === undefined ? RATES : [count('tx-per-s', rate)])
      runs.push(await measureRate(one, minutes));
    printLive(runs, { json: values.json, isList: rate === undefined });
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
