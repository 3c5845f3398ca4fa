/**
 * `npm run bench:actions`: how many traces a core classifies in a second. Each round reads the recorded traces anew (fresh
 * objects, nothing kept from the round before) and classifies them; reading is measured apart and not counted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { factsOf, type RecordedTrace, traceOf } from '../scripts/conformance/trace-fixture.ts';
import { classifyTrace } from '../src/projections/actions/classify.ts';
import { BenchError } from './common/bench-error.ts';
import { note } from './common/report.ts';

const HELP = 'usage: npm run bench:actions -- [--json] [--traces DIR] [--seconds N]\n';
const DEFAULT_TRACES = resolve(import.meta.dirname, '../../shared/data/traces');
/** CPU time of this thread in a round that tells more about the machine than about the code. */
const WARM_UP_ROUNDS = 5;

function readTraces(folder: string): RecordedTrace[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new BenchError(`${folder} has no recorded traces`);
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as RecordedTrace);
}

/** Traces, transactions and actions of one round, and the CPU microseconds that classifying took. */
interface Round {
  readonly traces: number;
  readonly transactions: number;
  readonly actions: number;
  readonly microseconds: number;
}

/** Classifies every trace once, from objects that nobody has seen before. */
function round(recorded: readonly RecordedTrace[]): Round {
  const jobs = recorded.map((one) => ({ trace: traceOf(one), facts: factsOf(one) }));
  const start = process.threadCpuUsage();
  let [transactions, actions] = [0, 0];
  for (const { trace, facts } of jobs) {
    transactions += trace.transactions.length;
    actions += classifyTrace(trace, facts).actions.length;
  }
  const { user, system } = process.threadCpuUsage(start);
  return { traces: jobs.length, transactions, actions, microseconds: user + system };
}

function measure(recorded: readonly RecordedTrace[], seconds: number): Round[] {
  for (let warm = 0; warm < WARM_UP_ROUNDS; warm++) round(recorded);
  const rounds: Round[] = [];
  for (let spent = 0; spent < seconds * 1e6; spent += rounds.at(-1)!.microseconds)
    rounds.push(round(recorded));
  return rounds;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function report(rounds: readonly Round[], asJson: boolean): void {
  const [{ traces, transactions, actions }] = rounds as readonly [Round];
  const perSecond = (count: number): number =>
    Math.round(count / (median(rounds.map(({ microseconds }) => microseconds)) / 1e6));
  const answer = {
    classified_traces_per_s: perSecond(traces),
    classified_tx_per_s: perSecond(transactions),
    traces,
    transactions,
    actions,
    rounds: rounds.length,
  };
  if (asJson) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else for (const [name, value] of Object.entries(answer)) console.log(`${name.padEnd(26)}${value}`);
}

try {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      traces: { type: 'string', default: DEFAULT_TRACES },
      seconds: { type: 'string', default: '3' },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const recorded = readTraces(values.traces);
    note(`${recorded.length} recorded traces`);
    report(measure(recorded, Number(values.seconds)), values.json);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
