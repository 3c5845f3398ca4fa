import type { TableSize } from '../../src/platform/clickhouse/table-sizes.ts';
import { printTable, round } from '../common/report.ts';
import type { ApiFigures, EndpointFigures } from './measure-endpoints.ts';

export interface PrintedApi extends ApiFigures {
  readonly sizes: readonly TableSize[];
  readonly connections: number;
  readonly json: boolean;
  /** The routes of a local chain. */
  readonly local: ApiFigures;
}

const P99_MS = 15;
const MIN_RATIO = 0.6;

/** The time of one of each, bare, against the time of one of each by the API; of those that send statements. */
function overallRatio(figures: readonly EndpointFigures[]): number {
  const pairs = figures.flatMap(({ api, bare }) => (bare ? [{ api, bare }] : []));
  const time = (side: 'api' | 'bare') => pairs.reduce((sum, pair) => sum + 1 / pair[side].perSecond, 0);
  return time('bare') / time('api');
}

/** Prints the figures, as tables or as one JSON object. */
export function printApi(printed: PrintedApi): void {
  if (printed.json) process.stdout.write(`${JSON.stringify(toJson(printed))}\n`);
  else printTables(printed);
}

/**
 * `select1_rps_16` and `routes` are the figures of the project's bars (`toRoute`), as are `local_routes` over a local chain. The rest
 * are all other measurements.
 */
function toJson({ figures, select1PerSecond, select1CpuMs, sizes, connections, local }: PrintedApi) {
  const tables = sizes.map(({ table, rows, parts }) => ({ table, rows: Number(rows), parts }));
  const endpoints = figures.map((figure) => ({
    ...figure,
    ratio: figure.bare && figure.api.perSecond / figure.bare.perSecond,
  }));
  return {
    [`select1_rps_${connections}`]: round(select1PerSecond, 1),
    select1_cpu_ms: round(select1CpuMs ?? Number.NaN),
    routes: figures.map((figure) => toRoute(figure, select1CpuMs, connections)),
    local_routes: local.figures.map((figure) => toRoute(figure, local.select1CpuMs, connections)),
    synthetic: true,
    connections,
    wanted: { p99_ms: P99_MS, ratio: MIN_RATIO },
    overall_ratio: round(overallRatio(figures)),
    endpoints,
    tables,
  };
}

/**
 * Requests a second at one connection and at several, latency in ms, CPU time of an answer at several, API and store, in ms
 * and as a multiple of the store's for `SELECT 1`, and the statements of an answer.
 */
function toRoute(
  { name, latency, api, sharedCpuMs, reading }: EndpointFigures,
  select1CpuMs: number | null,
  connections: number,
) {
  const cpu = (sharedCpuMs.api ?? Number.NaN) + (sharedCpuMs.store ?? Number.NaN);
  return {
    name,
    p50_1: round(latency.p50),
    p99_1: round(latency.p99),
    rps_1: round(latency.perSecond, 1),
    [`rps_${connections}`]: round(api.perSecond, 1),
    cpu_ms: round(cpu),
    cpu_to_select1: round(cpu / (select1CpuMs ?? Number.NaN), 2),
    statements: round(reading.statements, 2),
    rows: Math.round(reading.rows),
    errors: latency.errors + api.errors,
  };
}

function printTables({ figures, select1PerSecond, sizes, connections }: PrintedApi): void {
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
    [
      '',
      'statements',
      'rows read',
      'KiB read',
      'API CPU ms',
      'store CPU ms',
      `API CPU ms at ${connections}`,
      'store',
    ],
    [
      ...figures.map(({ name, reading, cpuMs, sharedCpuMs }) => [
        name,
        round(reading.statements, 2),
        Math.round(reading.rows),
        Math.round(reading.bytes / 1024),
        ...[cpuMs.api, cpuMs.store, sharedCpuMs.api, sharedCpuMs.store].map((ms) =>
          round(ms ?? Number.NaN, 2),
        ),
      ]),
    ],
  );
  printTable(
    `${connections} connections, answers a second (wanted: ratio at least ${MIN_RATIO})`,
    ['', 'API', 'bare statements', 'ratio', 'to SELECT 1', 'errors'],
    [
      ...figures.map(({ name, api, bare }) => [
        name,
        round(api.perSecond, 1),
        bare ? round(bare.perSecond, 1) : '–',
        bare ? round(api.perSecond / bare.perSecond, 2) : '–',
        round(api.perSecond / select1PerSecond, 2),
        api.errors + (bare?.errors ?? 0),
      ]),
      ['one of each', '', '', round(overallRatio(figures)), '', ''],
      ['SELECT 1', '', round(select1PerSecond, 1), '', 1, ''],
    ],
  );
  for (const { name, latency } of figures)
    if (latency.error) process.stdout.write(`${name}: ${latency.error}\n`);
}
