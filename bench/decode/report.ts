import { cpus } from 'node:os';
import { printTable } from '../common/report.ts';
import type { Corpus } from './corpus.ts';
import type { Times } from './measure.ts';

/** One worker of the pool: measured to compare two with, and part of no answer. */
export const ONE_WORKER = 'kernel-1-worker';
export const TWO_WORKERS = 'kernel-2-workers';

/** Output of `--json`. */
export interface Answer {
  readonly node: string;
  readonly blocks: number;
  readonly bytes: number;
  readonly transactions: number;
  readonly digests_equal: boolean;
  readonly methods: readonly MethodAnswer[];
}

interface MethodAnswer {
  readonly name: string;
  /** CPU milliseconds of the whole process for one round over the corpus. */
  readonly cpu_ms: number;
  /** By CPU time; of the workers, by the time that passed. */
  readonly tx_per_s: number;
  readonly mb_per_s: number;
  readonly ratio: number;
}

export function buildAnswer(
  times: ReadonlyMap<string, Times>,
  { jobs, bytes, transactions }: Corpus,
  digestsEqual: boolean,
): Answer {
  const time = (name: string): Times => times.get(name) as Times;
  const oneWorker = time(ONE_WORKER);
  const methods = [...times]
    .filter(([name]) => name !== ONE_WORKER)
    .map(([name, { cpu, wall }]) => {
      const writes = name === 'kernel-native' || name === 'ton-core-json';
      const base = time(writes ? 'ton-core-json' : 'ton-core').cpu;
      // Two workers count by the time they save: one worker's time over theirs.
      const [ms, ratio] = name === TWO_WORKERS ? [wall, oneWorker.wall / wall] : [cpu, base / cpu];
      return {
        name,
        cpu_ms: cpu,
        tx_per_s: (transactions / ms) * 1000,
        mb_per_s: bytes / ms / 1000,
        ratio,
      };
    });
  const { version } = process;
  return { node: version, blocks: jobs.length, bytes, transactions, digests_equal: digestsEqual, methods };
}

const RATIO_TO: Readonly<Record<string, string>> = {
  'ton-core-json': 'ton-core-json',
  'kernel-native': 'ton-core-json',
  [TWO_WORKERS]: 'one worker of the same pool, by time passed',
};

export function printAnswer({ node, blocks, bytes, transactions, digests_equal, methods }: Answer): void {
  printTable(
    `Node ${node}, ${cpus().length} x ${cpus()[0]?.model ?? '?'}; ${blocks} blocks, ${bytes} bytes, ` +
      `${transactions} transactions; all outputs equal: ${digests_equal}`,
    ['method', 'cpu ms', 'tx/s', 'MB/s', 'ratio', 'to'],
    methods.map((method) => [
      method.name,
      method.cpu_ms.toFixed(2),
      Math.round(method.tx_per_s),
      method.mb_per_s.toFixed(1),
      method.ratio.toFixed(2),
      RATIO_TO[method.name] ?? 'ton-core',
    ]),
  );
  process.stdout.write(
    'CPU time of the whole process; tx/s and MB/s by CPU time, of the workers by time passed\n',
  );
}
