import { printTable, quantile, round } from '../common/report.ts';
import type { LiveRun } from './measure-live.ts';

/** Prints the runs as JSON (a list, or the only one as an object) or as a table. */
export function printLive(
  runs: readonly LiveRun[],
  { json, isList }: { readonly json: boolean; readonly isList: boolean },
): void {
  const summaries = runs.map(summarise);
  if (json) {
    process.stdout.write(`${JSON.stringify(isList ? summaries : summaries[0])}\n`);
    return;
  }
  for (const { tx_per_s, cpu_percent, ...figures } of summaries)
    printTable(
      `following a live network at ${tx_per_s} transactions a second`,
      ['', 'value'],
      [
        ...Object.entries(figures),
        ...Object.entries(cpu_percent).map(([name, value]) => [`CPU of ${name}, percent of a core`, value]),
      ],
    );
}

function summarise({ txPerS, lags, stepsBehind, usage, requests, load }: LiveRun) {
  const at = (values: readonly number[], part: number) =>
    Math.round(
      quantile(
        values.toSorted((a, b) => a - b),
        part,
      ),
    );
  const half = lags.length >> 1;
  return {
    tx_per_s: txPerS,
    head_lag_p50_ms: at(lags, 0.5),
    head_lag_p99_ms: at(lags, 0.99),
    cpu_percent: Object.fromEntries(
      Object.entries(usage).map(([name, { cores }]) => [name, round(100 * cores, 1)]),
    ),
    rss_start_mb: usage.tonhouse.memory.start,
    rss_end_mb: usage.tonhouse.memory.end,
    steps: lags.length,
    head_lag_max_ms: at(lags, 1),
    head_lag_p50_first_half_ms: at(lags.slice(0, half), 0.5),
    head_lag_p50_second_half_ms: at(lags.slice(half), 0.5),
    steps_behind_at_end: stepsBehind,
    store_rss_start_mb: usage.store.memory.start,
    store_rss_end_mb: usage.store.memory.end,
    requests_answered: requests.answered,
    requests_failed: requests.failed,
    stream_events: requests.events,
    load_average: round(load, 1),
  };
}
