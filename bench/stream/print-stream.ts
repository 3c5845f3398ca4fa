import { printTable, round } from '../common/report.ts';
import type { Delays } from './measure-delays.ts';
import type { Losses } from './measure-losses.ts';

export interface StreamResult {
  readonly subscribers: number;
  readonly wantedRate: number;
  readonly delays: Delays;
  readonly losses: Losses;
}

/** Longest time from a visible block to its events, in 99 of 100, ms. */
const WANTED_P99_MS = 300;

/** Prints the result as one JSON object or as tables. */
export function printStream({ subscribers, wantedRate, delays, losses }: StreamResult, json: boolean): void {
  const { events, blocks } = delays;
  const [p50, p99, max] = [delays.p50, delays.p99, delays.max].map((ms) => round(ms, 1));
  // Less than the server's load without streams varies: no figure of the events.
  const cpuMicros = delays.cpuMicros > 0 ? round(delays.cpuMicros, 1) : null;
  const rate = Math.round(losses.rate);
  const { due, lost, doubled } = losses;
  if (json) {
    const stream = { subscribers, events, blocks, p50_ms: p50, p99_ms: p99, max_ms: max, cpu_us: cpuMicros };
    const feed = { wanted_rate: wantedRate, rate, due, lost, doubled };
    const ratio = round(delays.p99 / WANTED_P99_MS);
    process.stdout.write(
      `${JSON.stringify({ wanted_p99_ms: WANTED_P99_MS, p99_ratio: ratio, stream, feed })}\n`,
    );
    return;
  }
  printTable(
    `From a visible block to its events at ${subscribers} clients, ms (wanted: p99 at most ${WANTED_P99_MS})`,
    ['events', 'blocks', 'p50', 'p99', 'max', 'CPU of the server for an event, µs'],
    [[events, blocks, p50, p99, max, cpuMicros ?? 'within the noise']],
  );
  printTable(
    `The feed at ${wantedRate} transactions a second (wanted: none lost, none doubled)`,
    ['visible a second', 'due', 'lost', 'doubled'],
    [[rate, due, lost, doubled]],
  );
}
