import { join } from 'node:path';
import { BASE } from '../../pipelines/base.ts';
import { runSession, type Session } from '../../src/cli/session.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import {
  BLOCK_PROJECTIONS,
  countTransactions,
  type LocalIndex,
  measureProjections,
  openLocalIndex,
  type Spent,
} from '../common/local-index.ts';
import { type BenchOptions, benchDirectory } from '../common/options.ts';
import { note, printTable, round } from '../common/report.ts';

/** Transactions of a masterchain step: a busy head. */
const PER_STEP = 200;

/** What one projection takes, after the ones that it needs. */
interface ProjectionShare {
  readonly name: string;
  readonly tx_per_s: number;
  /** Of this process and of the store, merges too; null if the system does not report it. */
  readonly cpu_us_per_tx: number | null;
  /** Of the CPU of all projections, 0 to 1. */
  readonly share: number | null;
}

/** Figures of one run over one chain of mixed traffic. */
export interface AllProjections {
  readonly transactions: number;
  /** All projections at once, until the last one has everything. */
  readonly all_tx_per_s: number;
  /** Only `base`. */
  readonly base_tx_per_s: number;
  readonly ratio: number;
  readonly all_cpu_us_per_tx: number | null;
  readonly projections: readonly ProjectionShare[];
}

/**
 * Indexes a chain that the TVM executed: all projections at once, then into another store one after the other. The log is
 * written before.
 */
export async function measureAllProjections(options: BenchOptions): Promise<AllProjections> {
  const directory = benchDirectory(options);
  try {
    const packs = join(directory.path, 'packs');
    note(`${options.transactions} transactions in the TVM`);
    const { transactions } = options;
    await generatePacks({ directory: packs, transactions, seed: 'ingest', shards: 1, perStep: PER_STEP });
    const inIndex = <T>(name: string, work: (index: LocalIndex, session: Session) => Promise<T>) =>
      runSession({ logLevel: 'warn' }, async (session) =>
        work(await openLocalIndex(join(directory.path, name), packs, session), session),
      );
    const all = await inIndex('all', (index, session) =>
      measureProjections(index, BLOCK_PROJECTIONS, session),
    );
    return await inIndex('single', async (index, session) => {
      const spent: Spent[] = [];
      for (const projection of BLOCK_PROJECTIONS)
        spent.push(await measureProjections(index, [projection], session));
      return summarise(await countTransactions(index), all, spent);
    });
  } finally {
    directory.leave();
  }
}

function summarise(transactions: number, all: Spent, spent: readonly Spent[]): AllProjections {
  const perTx = ({ cpuSeconds }: Spent) =>
    cpuSeconds === null ? null : round((cpuSeconds * 1e6) / transactions, 1);
  const rate = ({ seconds }: Spent) => Math.round(transactions / seconds);
  const cpu = spent.reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), 0);
  const projections = spent.map((one, i) => ({
    name: BLOCK_PROJECTIONS[i]!.name,
    tx_per_s: rate(one),
    cpu_us_per_tx: perTx(one),
    share: one.cpuSeconds === null ? null : round(one.cpuSeconds / cpu),
  }));
  const base = spent[BLOCK_PROJECTIONS.indexOf(BASE)]!;
  return {
    transactions,
    all_tx_per_s: rate(all),
    base_tx_per_s: rate(base),
    ratio: round(base.seconds / all.seconds),
    all_cpu_us_per_tx: perTx(all),
    projections,
  };
}

/** `json`: one object on standard output. */
export function printAllProjections(figures: AllProjections, { json }: Pick<BenchOptions, 'json'>): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    return;
  }
  const { projections, ...all } = figures;
  const { transactions, all_tx_per_s, base_tx_per_s, ratio, all_cpu_us_per_tx } = all;
  const whole = [
    ['all at once', all_tx_per_s, all_cpu_us_per_tx ?? '?', ''],
    ['base', base_tx_per_s, '', ''],
    ['ratio (wanted 0.5)', ratio, '', ''],
  ];
  const rows = projections.map(({ name, tx_per_s, cpu_us_per_tx, share }) => [
    `· ${name}`,
    tx_per_s,
    cpu_us_per_tx ?? '?',
    share ?? '?',
  ]);
  const header = ['', 'tx/s', 'CPU, µs/tx', 'share'];
  printTable(`${transactions} transactions of mixed traffic`, header, [...whole, ...rows]);
}
