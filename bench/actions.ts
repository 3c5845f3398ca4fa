/**
 * `npm run bench:actions`: recorded traces that a core joins and classifies in a second, and the rate at which a chain
 * becomes actions in the store, compared with `base` of the same run. Each round reads the recorded traces again as new
 * objects; reading is not counted.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assembleRound, checkJoined, packedTransactions } from './actions/assemble.ts';
import { classifyRound } from './actions/classify.ts';
import { endToEnd } from './actions/end-to-end.ts';
import { measure, perSecond, readTraces } from './actions/recorded.ts';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { note } from './common/report.ts';

const HELP = `usage: npm run bench:actions -- [--json] [--traces DIR] [--seconds N] [--transactions N]

  --traces DIR       recorded traces (default ../shared/data/traces)
  --seconds N        CPU time of joining and of classifying (default 3)
  --transactions N   executed by the TVM for the run end to end, at least (default 10000)
`;
const DEFAULT_TRACES = resolve(import.meta.dirname, '../../shared/data/traces');

interface Options {
  readonly traces: string;
  readonly seconds: number;
  readonly transactions: number;
}

async function run({ traces: folder, seconds, transactions }: Options): Promise<Record<string, number>> {
  const recorded = readTraces(folder);
  const sum = recorded.reduce((total, one) => total + one.transactions.length, 0);
  note(`${recorded.length} recorded traces of ${sum} transactions`);
  const packed = packedTransactions(recorded);
  checkJoined(packed, recorded.length);
  const assembled = measure(() => assembleRound(packed), seconds);
  const classified = measure(() => classifyRound(recorded), seconds);
  const whole = await endToEnd(transactions);
  return {
    assembled_traces_per_s: perSecond(assembled, recorded.length),
    classified_traces_per_s: perSecond(classified, recorded.length),
    actions_tx_per_s: whole.actions,
    base_tx_per_s: whole.base,
    contracts_tx_per_s: whole.contracts,
    assembled_tx_per_s: perSecond(assembled, sum),
    classified_tx_per_s: perSecond(classified, sum),
    recorded_traces: recorded.length,
    recorded_actions: classified[0]!.result,
    chain_transactions: whole.transactions,
    chain_traces: whole.traces,
    chain_actions: whole.storedActions,
  };
}

try {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      traces: { type: 'string', default: DEFAULT_TRACES },
      seconds: { type: 'string', default: '3' },
      transactions: { type: 'string', default: '10000' },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const answer = await run({
      traces: resolve(values.traces),
      seconds: count('seconds', values.seconds),
      transactions: count('transactions', values.transactions),
    });
    if (values.json) process.stdout.write(`${JSON.stringify(answer)}\n`);
    else for (const [name, value] of Object.entries(answer)) console.log(`${name.padEnd(26)}${value}`);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
