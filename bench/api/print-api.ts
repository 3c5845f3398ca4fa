import type { TableSize } from '../../src/platform/clickhouse/table-sizes.ts';
import { printTable, round } from '../common/report.ts';
import type { Latency } from './http-load.ts';
import type { Reading } from './record-statements.ts';

export interface EndpointFigures {
  readonly name: string;
  /** Each request for the first time: the API remembers nothing of it yet. */
  readonly first: Latency;
  readonly latency: Latency;
  /** The same answer again, from the API's memory, as it is by default. */
  readonly again: Latency;
  /** CPU time of an answer at one connection, by process; the API's includes its background work. */
  readonly cpuMs: Readonly<Record<string, number | null>>;
  /** The statements of an answer, one after the other, without the API. */
  readonly bareLatency: Latency;
  readonly reading: Reading;
  readonly api: { readonly perSecond: number; readonly errors: number };
  readonly bare: { readonly perSecond: number; readonly errors: number };
}

export interface ApiFigures {
  readonly figures: readonly EndpointFigures[];
  readonly sizes: readonly TableSize[];
  readonly connections: number;
  readonly json: boolean;
}

const P99_MS = 15;
const LEAST_RATIO = 0.6;

/** The time of one of each, bare, against the time of one of each by the API. */
function overallRatio(figures: readonly EndpointFigures[]): number {
  const time = (side: 'api' | 'bare') => figures.reduce((sum, figure) => sum + 1 / figure[side].perSecond, 0);
  return time('bare') / time('api');
}

export function printApi({ figures, sizes, connections, json }: ApiFigures): void {
  const overall = round(overallRatio(figures));
  if (json) {
    const tables = sizes.map(({ table, rows, parts }) => ({ table, rows: Number(rows), parts }));
    const endpoints = figures.map((figure) => ({
      ...figure,
      ratio: figure.api.perSecond / figure.bare.perSecond,
    }));
    const wanted = { p99_ms: P99_MS, ratio: LEAST_RATIO };
    process.stdout.write(
      `${JSON.stringify({ synthetic: true, connections, wanted, overall_ratio: overall, endpoints, tables })}\n`,
    );
    return;
  }
  const transactions = sizes.find(({ table }) => table === 'transactions');
  process.stdout.write(
    `SYNTHETIC DATA: ${transactions?.rows ?? 0} transactions in ${transactions?.parts ?? 0} parts\n`,
  );
  printTable(
    `One connection, ms (wanted: p99 at most ${P99_MS})`,
    [
      '',
      'requests',
      'errors',
      'p50',
      'p95',
      'p99',
      'max',
      'first p50',
      'p99',
      'statements p50',
      'p99',
      'again p50',
      'p99',
    ],
    [
      ...figures.map(({ name, first, latency, bareLatency, again }) => [
        name,
        latency.requests,
        latency.errors,
        ...[latency.p50, latency.p95, latency.p99, latency.max].map((ms) => round(ms, 2)),
        ...[first, bareLatency, again].flatMap(({ p50, p99 }) => [round(p50, 2), round(p99, 2)]),
      ]),
    ],
  );
  printTable(
    'What an answer costs',
    ['', 'statements', 'rows read', 'KiB read', 'API CPU ms', 'store CPU ms'],
    [
      ...figures.map(({ name, reading, cpuMs }) => [
        name,
        round(reading.statements, 2),
        Math.round(reading.rows),
        Math.round(reading.bytes / 1024),
        round(cpuMs.api ?? Number.NaN, 2),
        round(cpuMs.store ?? Number.NaN, 2),
      ]),
    ],
  );
  printTable(
    `${connections} connections, answers a second (wanted: ratio at least ${LEAST_RATIO})`,
    ['', 'API', 'bare statements', 'ratio', 'errors'],
    [
      ...figures.map(({ name, api, bare }) => [
        name,
        round(api.perSecond, 1),
        round(bare.perSecond, 1),
        round(api.perSecond / bare.perSecond, 2),
        api.errors + bare.errors,
      ]),
      ['one of each', '', '', overall, ''],
    ],
  );
  for (const { name, latency } of figures)
    if (latency.error) process.stdout.write(`${name}: ${latency.error}\n`);
}
