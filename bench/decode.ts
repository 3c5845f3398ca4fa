/**
 * `npm run bench:decode`: how much CPU time a block costs, by @ton/core, by the TypeScript reader and by the kernel, one
 * after the other in every repeat; medians. The transactions and messages that they decode are compared first.
 */
import { BaseColumns } from '../src/ton/columns/base-columns.ts';
import { Kernel } from '../src/ton/kernel/kernel.ts';
import { BenchError } from './common/bench-error.ts';
import { note } from './common/report.ts';
import { toJson } from './decode/core-json.ts';
import { type Job, readCorpus } from './decode/corpus.ts';
import { digestsEqual } from './decode/digests.ts';
import { type Method, measure } from './decode/measure.ts';
import { byKernel, byReader, NativeOutput } from './decode/methods.ts';
import { type DecodeBenchOptions, HELP, readOptions } from './decode/options.ts';
import { PoolRate } from './decode/pool-rate.ts';
import { buildAnswer, ONE_WORKER, printAnswer, TWO_WORKERS } from './decode/report.ts';
import { byCore, type CoreTransaction } from './decode/ton-core.ts';

const ROUNDS = 20;

/** Work of one round, done so many times. */
function repeated(work: () => void): (rounds: number) => void {
  return (rounds) => {
    for (let round = 0; round < rounds; round++) work();
  };
}

function buildMethods(jobs: readonly Job[], kernel: Kernel, one: PoolRate, two: PoolRate): Method[] {
  const columns = new BaseColumns();
  const native = new NativeOutput();
  const core = (visit: (found: CoreTransaction) => void) =>
    repeated(() => {
      for (const { bytes } of jobs) byCore(bytes, visit);
    });
  const fresh = (work: () => void) =>
    repeated(() => {
      columns.reset();
      work();
    });
  const toNative = () => {
    byKernel(kernel, jobs, columns, 'tx');
    native.write(columns);
  };
  return [
    { name: 'ton-core', run: core(() => {}), rounds: 1 },
    { name: 'reader-tx', run: fresh(() => byReader(jobs, columns, 'tx')), rounds: 1 },
    { name: 'kernel-tx', run: fresh(() => byKernel(kernel, jobs, columns, 'tx')), rounds: ROUNDS },
    { name: 'kernel-root', run: fresh(() => byKernel(kernel, jobs, columns, 'root')), rounds: ROUNDS },
    { name: 'ton-core-json', run: core((found) => void toJson(found)), rounds: 1 },
    { name: 'kernel-native', run: fresh(toNative), rounds: ROUNDS },
    { name: ONE_WORKER, run: (rounds) => one.decode(rounds), rounds: ROUNDS },
    { name: TWO_WORKERS, run: (rounds) => two.decode(rounds), rounds: ROUNDS },
  ];
}

async function run(options: DecodeBenchOptions): Promise<void> {
  const kernel = await Kernel.load();
  const corpus = readCorpus(options, kernel);
  const { jobs, bytes, transactions } = corpus;
  note(`${jobs.length} blocks, ${bytes} bytes, ${transactions} transactions`);
  const pools = [await PoolRate.start(jobs, 1), await PoolRate.start(jobs, 2)] as const;
  try {
    const equal = await digestsEqual(jobs, kernel, pools[1]);
    const times = await measure(buildMethods(jobs, kernel, ...pools), options.repeat);
    const answer = buildAnswer(times, corpus, equal);
    if (options.json) process.stdout.write(`${JSON.stringify(answer)}\n`);
    else printAnswer(answer);
    if (!equal) process.exitCode = 1;
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

try {
  const options = readOptions();
  if (options) await run(options);
  else process.stdout.write(HELP);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
