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

/** The ratio that issue 2 asks for. */
const LEAST_RATIO = 0.4;

export function printIngest(figures: IngestFigures): void {
  const summary = summarise(figures);
  if (figures.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else printTables(figures, summary);
}

function summarise({ plan, ready, inserted, whole, sizes }: IngestFigures) {
  const { transactions } = plan;
  const shift = (whole.busy['shift (bench only)'] ?? 0) / 1000;
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
      /** The shift is the bench's own work on the same thread. */
      tx_per_second_without_shift: Math.round(transactions / (whole.seconds - shift)),
      busy_ms: whole.busy,
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
      ['end to end, shift subtracted', '', summary.end_to_end.tx_per_second_without_shift, '', '', '', ''],
      [`ratio (wanted ${LEAST_RATIO})`, '', summary.ratio, '', '', '', ''],
      ['ratio of CPU seconds', '', summary.cpu_ratio ?? '?', '', '', '', ''],
    ],
  );
  const wall = whole.seconds * 1000;
  printTable(
    'The decoding thread, end to end',
    ['', 'ms', '% of the run'],
    [...Object.entries(whole.busy).map(([name, ms]) => [name, Math.round(ms), round((ms / wall) * 100, 1)])],
  );
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
