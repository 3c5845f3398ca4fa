import type { TableSize } from '../../src/platform/clickhouse/table-sizes.ts';
import { mib, printTable, round } from '../common/report.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import type { EndToEndResult } from './end-to-end.ts';
import type { InsertResult, ReadyMade } from './ready-made.ts';

export interface IngestFigures {
  readonly plan: ChainPlan;
  readonly ready: ReadyMade;
  readonly inserted: InsertResult;
  readonly whole: EndToEndResult;
  readonly sizes: readonly TableSize[];
  readonly json: boolean;
}

const SYNTHETIC =
  'SYNTHETIC DATA: real blocks, decoded each time, whose rows are then moved (seqno, lt, time, hashes, accounts). ' +
  'Amounts, bodies, code and the raw blocks repeat, so compressed sizes are smaller than on a real chain.';

/** The ratio that is asked for: the rest of the run may take so much beside the inserts. */
const LEAST_RATIO = 0.7;

export function printIngest(figures: IngestFigures): void {
  const summary = summarise(figures);
  if (figures.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else printTables(figures, summary);
}

function summarise({ plan, ready, inserted, whole, sizes }: IngestFigures) {
  const { transactions } = plan;
  const insertRate = transactions / inserted.seconds;
  const rate = transactions / whole.seconds;
  return {
    synthetic: true,
    note: SYNTHETIC,
    transactions,
    blocks: plan.blocks,
    steps: plan.steps,
    epochs: Math.ceil(plan.steps / plan.identity.epochSize),
    real_blocks: plan.realBlocks.length,
    log_bytes: whole.logBytes,
    batches: whole.batches,
    messages: whole.messages,
    dead_letters: whole.deadLetters,
    insert_only: {
      seconds: round(inserted.seconds),
      tx_per_second: Math.round(insertRate),
      usage: inserted.usage,
      bytes: ready.bytes,
    },
    end_to_end: {
      seconds: round(whole.seconds),
      fed_seconds: round(whole.fedSeconds),
      tx_per_second: Math.round(rate),
      decode_workers: whole.workers,
      /** Moving rows is the bench's own work, in the threads that decode. */
      shift_cpu_ms: round(whole.shift, 0),
      stages_cpu_seconds: Object.fromEntries(stagesOf(whole)),
      main_thread_ms: whole.busy,
      waited_ms: whole.waited,
      usage: whole.usage,
    },
    ratio: round(rate / insertRate),
    ratio_wanted: LEAST_RATIO,
    /** CPU seconds of both processes for the same rows: what the ratio tends to where both use every core. */
    cpu_ratio: cpuRatio(inserted.usage, whole.usage),
    decode_alone_tx_per_second: Math.round(transactions / ((ready.busy.decode ?? 1) / 1000)),
    bytes_per_transaction: Object.fromEntries(
      sizes.map(({ table, bytesOnDisk }) => [table, round(Number(bytesOnDisk) / transactions, 1)]),
    ),
    bytes_per_transaction_total: round(
      sizes.reduce((sum, { bytesOnDisk }) => sum + Number(bytesOnDisk), 0) / transactions,
      1,
    ),
  };
}

function printTables(
  { plan, whole, inserted, sizes }: IngestFigures,
  summary: ReturnType<typeof summarise>,
): void {
  const perTx = (bytes: number) => round(bytes / plan.transactions, 1);
  process.stdout.write(`${SYNTHETIC}\n`);
  printTable(
    'Data',
    ['', ''],
    [
      ['transactions', plan.transactions],
      ['messages (rows, one a side)', whole.messages],
      ['blocks', plan.blocks],
      ['real blocks multiplied', plan.realBlocks.length],
      ['epochs', summary.epochs],
      ['log, MiB', mib(whole.logBytes)],
      ['dead letters', whole.deadLetters],
    ],
  );
  printTable(
    'Rate',
    ['', 'seconds', 'tx/s', 'node CPU s', 'ClickHouse CPU s', 'node cores', 'ClickHouse cores'],
    [
      ['ready-made Native batches', ...rateRow(inserted.seconds, plan.transactions, inserted.usage)],
      ['end to end', ...rateRow(whole.seconds, plan.transactions, whole.usage)],
      [`ratio (wanted ${LEAST_RATIO})`, '', summary.ratio, '', '', '', ''],
      ['ratio of CPU seconds', '', summary.cpu_ratio ?? '?', '', '', '', ''],
    ],
  );
  const wall = whole.seconds * 1000;
  printStages(whole);
  printTable(
    'Waits, end to end (several side by side)',
    ['', 'ms', 'on average at once'],
    [...Object.entries(whole.waited).map(([name, ms]) => [name, Math.round(ms), round(ms / wall, 2)])],
  );
  printTable(
    'Memory, end to end, MiB',
    ['', 'start', 'median', 'max', 'last half, MiB a minute'],
    [
      ...Object.entries(whole.usage).map(([name, usage]) => [
        name,
        ...(usage
          ? [usage.memory.start, usage.memory.median, usage.memory.max, usage.memory.slopeLastHalfPerMinute]
          : ['?', '?', '?', '?']),
      ]),
    ],
  );
  printTable(
    'On disk',
    ['table', 'rows', 'parts', 'bytes/tx', 'uncompressed bytes/tx'],
    [
      ...sizes.map(({ table, rows, parts, bytesOnDisk, uncompressedBytes }) => [
        table,
        Number(rows),
        parts,
        perTx(Number(bytesOnDisk)),
        perTx(Number(uncompressedBytes)),
      ]),
      ['sum', '', '', summary.bytes_per_transaction_total, ''],
      ['log', '', '', perTx(whole.logBytes), ''],
    ],
  );
}

/** CPU seconds by stage. What a thread does beside its stage (collecting garbage) counts for it. */
function stagesOf({ threads, decode, shift, busy, usage }: EndToEndResult): [string, number][] {
  const { decode: decoding = 0, 'node-MainThread': main = 0, WorkerThread: log = 0, ...others } = threads;
  const helpers = sum(Object.values(others));
  const envelope = busy['log envelope (Avro)'] ?? 0;
  const seconds: [string, number][] = [
    ['feeding: Avro envelopes (main thread)', envelope],
    ['log: SQLite thread, writing and reading', log],
    ['decode: Avro, hashes, kernel, copying out', decode],
    ['moving rows (bench only), in the threads that decode', shift],
    ['decode: the rest of those threads', Math.max(0, decoding - decode - shift)],
    ['batches and HTTP (main thread)', Math.max(0, main - envelope)],
    ['garbage collection, compiling (helper threads)', helpers],
  ];
  const store = usage.clickhouse ? [['ClickHouse', usage.clickhouse.cpuSeconds] as [string, number]] : [];
  return [...seconds.map(([name, ms]): [string, number] => [name, round(ms / 1000, 2)]), ...store];
}

function printStages(whole: EndToEndResult): void {
  const stages = stagesOf(whole);
  const all = sum(stages.map(([, seconds]) => seconds));
  printTable(
    `Stages, end to end (decode workers: ${whole.workers})`,
    ['', 'CPU s', '% of all', 'cores'],
    stages.map(([name, seconds]) => [
      name,
      round(seconds, 2),
      round((seconds / all) * 100, 1),
      round(seconds / whole.seconds, 2),
    ]),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function cpuRatio(inserted: InsertResult['usage'], whole: InsertResult['usage']): number | null {
  const cpu = ({ node, clickhouse }: InsertResult['usage']) =>
    node && clickhouse ? node.cpuSeconds + clickhouse.cpuSeconds : null;
  const [less, more] = [cpu(inserted), cpu(whole)];
  return less === null || more === null ? null : round(less / more);
}

function rateRow(seconds: number, transactions: number, usage: InsertResult['usage']): unknown[] {
  const { node, clickhouse } = usage;
  return [
    round(seconds, 1),
    Math.round(transactions / seconds),
    node ? round(node.cpuSeconds, 1) : '?',
    clickhouse ? round(clickhouse.cpuSeconds, 1) : '?',
    node ? round(node.cores, 2) : '?',
    clickhouse ? round(clickhouse.cores, 2) : '?',
  ];
}
