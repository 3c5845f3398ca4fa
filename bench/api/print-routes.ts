import { printTable, round } from '../common/report.ts';
import type { EndpointFigures } from './measure-endpoints.ts';

/** A row of the routes: ms at one connection, answers a second at several, what an answer reads and costs. */
export function routeFigures({ name, latency, api, reading, cpuMs }: EndpointFigures) {
  return {
    name,
    p50_1: round(latency.p50),
    p99_1: round(latency.p99),
    rps: round(api.perSecond, 1),
    statements: round(reading.statements, 2),
    rows: Math.round(reading.rows),
    cpu_ms: round((cpuMs.api ?? Number.NaN) + (cpuMs.store ?? Number.NaN)),
    errors: latency.errors + api.errors,
  };
}

/** Prints the routes of a local chain as a table. */
export function printRoutes(figures: readonly EndpointFigures[], transactions: number): void {
  printTable(
    `Every GET route of v3, over a local chain of ${transactions} transactions`,
    ['', 'p50 ms', 'p99 ms', 'a second', 'statements', 'rows read', 'CPU ms', 'errors'],
    figures.map((one) => Object.values(routeFigures(one))),
  );
}
