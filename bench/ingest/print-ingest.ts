import { mib, printTable, round } from '../common/report.ts';
import type { ChainPlan } from '../synthetic/chain-plan.ts';
import type { EndToEndResult } from './end-to-end.ts';
import type { PacedResult } from './insert-paced.ts';
import type { InsertResult, ReadyMade } from './ready-made.ts';

export interface IngestFigures {
  readonly plan: ChainPlan;
  readonly ready: ReadyMade;
  readonly inserted: InsertResult;
  readonly paced: PacedResult;
  readonly endToEnd: EndToEndResult;
  readonly json: boolean;
}

const SYNTHETIC =
  'SYNTHETIC DATA: real blocks, decoded each time, whose rows are then moved (seqno, lt, time, hashes, accounts). ' +
  'Amounts, bodies, code and the raw blocks repeat, so compressed sizes are smaller than on a real chain.';

/** The required ratio: the rest of the run may take this share in addition to the inserts. */
const MIN_RATIO = 0.7;

/** `json`: one object on standard output, and the tables on standard error. */
export function printIngest(figures: IngestFigures): void {
  const summary = summarise(figures);
  printTables(figures, summary, figures.json ? process.stderr : process.stdout);
  if (figures.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
}

function summarise({ plan, inserted, paced, endToEnd }: IngestFigures) {
  const { transactions } = plan;
  return {
    index_tx_per_s: Math.round(transactions / endToEnd.seconds),
    insert_only_tx_per_s: Math.round(transactions / inserted.seconds),
    store_cpu_us_per_tx: paced.storeCpuMicroseconds === null ? null : round(paced.storeCpuMicroseconds, 1),
    /** Without what only the bench does: moving rows. */
    node_cpu_us_per_tx: endToEnd.usage.node
      ? round(((endToEnd.usage.node.cpuSeconds * 1000 - endToEnd.shift) * 1000) / transactions, 1)
      : null,
    bytes_per_tx: Object.fromEntries(
      paced.sizes.map(({ table, bytesOnDisk }) => [table, round(Number(bytesOnDisk) / transactions, 1)]),
    ),
  };
}

function printTables(
  figures: IngestFigures,
  summary: ReturnType<typeof summarise>,
  to: NodeJS.WritableStream,
): void {
  const { plan, paced, endToEnd } = figures;
  to.write(`${SYNTHETIC}\n`);
  const data = [
    ['transactions', plan.transactions],
    ['messages (rows, one a side)', endToEnd.messages],
    ['blocks', plan.blocks],
    ['real blocks multiplied', plan.realBlocks.length],
    ['epochs', Math.ceil(plan.steps / plan.identity.epochSize)],
    ['log, MiB', mib(endToEnd.logBytes)],
    ['dead letters', endToEnd.deadLetters],
  ];
  printTable('Data', ['', ''], data, to);
  printRates(figures, to);
  const sustained = [
    ['store, inserts and merges', summary.store_cpu_us_per_tx ?? '?'],
    ['node, end to end', summary.node_cpu_us_per_tx ?? '?'],
  ];
  printTable(
    `CPU, µs/tx (${paced.batches} batches, each after the merges of the one before)`,
    ['', ''],
    sustained,
    to,
  );
  printStages(endToEnd, to);
  printRun(endToEnd, to);
  printSizes(figures, to);
}

function printRates({ plan, ready, inserted, endToEnd }: IngestFigures, to: NodeJS.WritableStream): void {
  const { transactions } = plan;
  const rows = [
    ['ready-made Native batches', ...rateRow(inserted.seconds, transactions, inserted.usage)],
    ['· until they are merged', ...rateRow(inserted.seconds + inserted.mergeSeconds, transactions, null)],
    ['end to end', ...rateRow(endToEnd.seconds, transactions, endToEnd.usage)],
    [`ratio (wanted ${MIN_RATIO})`, '', round(inserted.seconds / endToEnd.seconds), '', '', '', ''],
    ['ratio of CPU seconds', '', cpuRatio(inserted.usage, endToEnd.usage) ?? '?', '', '', '', ''],
    ['decoding alone', ...rateRow((ready.busy.decode ?? 1) / 1000, transactions, null)],
  ];
  const header = ['', 'seconds', 'tx/s', 'node CPU s', 'ClickHouse CPU s', 'node cores', 'ClickHouse cores'];
  printTable('Rate', header, rows, to);
}

function printRun(endToEnd: EndToEndResult, to: NodeJS.WritableStream): void {
  const wall = endToEnd.seconds * 1000;
  const waits = Object.entries(endToEnd.waited).map(([name, ms]) => [
    name,
    Math.round(ms),
    round(ms / wall, 2),
  ]);
  printTable('Waits, end to end (several side by side)', ['', 'ms', 'on average at once'], waits, to);
  const memory = Object.entries(endToEnd.usage).map(([name, usage]) => {
    if (!usage) return [name, '?', '?', '?', '?'];
    const { start, median, max, slopeLastHalfPerMinute } = usage.memory;
    return [name, start, median, max, slopeLastHalfPerMinute];
  });
  const header = ['', 'start', 'median', 'max', 'last half, MiB a minute'];
  printTable('Memory, end to end, MiB', header, memory, to);
}

function printSizes({ plan, paced: { sizes }, endToEnd }: IngestFigures, to: NodeJS.WritableStream): void {
  const perTx = (bytes: number) => round(bytes / plan.transactions, 1);
  const rows = sizes.map(({ table, rows, parts, bytesOnDisk, uncompressedBytes }) => [
    table,
    Number(rows),
    parts,
    perTx(Number(bytesOnDisk)),
    perTx(Number(uncompressedBytes)),
  ]);
  const total = sum(sizes.map(({ bytesOnDisk }) => Number(bytesOnDisk)));
  const ends = [
    ['sum', '', '', perTx(total), ''],
    ['log', '', '', perTx(endToEnd.logBytes), ''],
  ];
  const header = ['table', 'rows', 'parts', 'bytes/tx', 'uncompressed bytes/tx'];
  printTable('On disk', header, [...rows, ...ends], to);
}

/** CPU seconds by stage. A thread's other work (collecting garbage) counts for its stage. */
function getStages({ threads, decode, shift, busy, usage }: EndToEndResult): [string, number][] {
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

function printStages(endToEnd: EndToEndResult, to: NodeJS.WritableStream): void {
  const stages = getStages(endToEnd);
  const all = sum(stages.map(([, seconds]) => seconds));
  const rows = stages.map(([name, seconds]) => [
    name,
    round(seconds, 2),
    round((seconds / all) * 100, 1),
    round(seconds / endToEnd.seconds, 2),
  ]);
  const title = `Stages, end to end (decode workers: ${endToEnd.workers})`;
  printTable(title, ['', 'CPU s', '% of all', 'cores'], rows, to);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function cpuRatio(inserted: InsertResult['usage'], endToEnd: InsertResult['usage']): number | null {
  const cpu = ({ node, clickhouse }: InsertResult['usage']) =>
    node && clickhouse ? node.cpuSeconds + clickhouse.cpuSeconds : null;
  const [less, more] = [cpu(inserted), cpu(endToEnd)];
  return less === null || more === null ? null : round(less / more);
}

function rateRow(seconds: number, transactions: number, usage: InsertResult['usage'] | null): unknown[] {
  const { node, clickhouse } = usage ?? {};
  return [
    round(seconds, 1),
    Math.round(transactions / seconds),
    node ? round(node.cpuSeconds, 1) : '?',
    clickhouse ? round(clickhouse.cpuSeconds, 1) : '?',
    node ? round(node.cores, 2) : '?',
    clickhouse ? round(clickhouse.cores, 2) : '?',
  ];
}
