import { printTable, round } from '../common/report.ts';
import type { Catchup } from './measure-catchup.ts';

/** CPU time of one block, tonhouse and store, µs. */
const GOAL_US = 150;

/** Prints the result as one JSON object or as tables. */
export function printCatchup(catchup: Catchup, json: boolean): void {
  const summary = summarise(catchup);
  if (json) {
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  const { cpu_us_per_block_by_process, cpu_us_per_block_by_thread, ...figures } = summary;
  printTable(`catch-up (goal: ${GOAL_US} µs of CPU a block)`, ['', 'value'], Object.entries(figures));
  const parts = { ...cpu_us_per_block_by_process, ...cpu_us_per_block_by_thread };
  printTable('CPU time of one block, µs', ['process, or thread of tonhouse', ''], Object.entries(parts));
}

/** Prints the result of the source only. */
export function printSource(figures: Readonly<Record<string, number>>, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else printTable('catch-up, the source only', ['', 'value'], Object.entries(figures));
}

function summarise({ blocks, steps, seconds, tonhouse, store, threads, load }: Catchup) {
  const perBlock = (cpuSeconds: number) => Math.round((cpuSeconds * 1e6) / blocks);
  return {
    blocks_per_s: Math.round(blocks / seconds),
    cpu_us_per_block: perBlock(tonhouse.cpuSeconds + store.cpuSeconds),
    peak_rss_mb: tonhouse.memory.max,
    blocks,
    steps,
    seconds: round(seconds, 1),
    store_peak_rss_mb: store.memory.max,
    load_average: round(load, 1),
    cpu_us_per_block_by_process: {
      tonhouse: perBlock(tonhouse.cpuSeconds),
      store: perBlock(store.cpuSeconds),
    },
    cpu_us_per_block_by_thread: Object.fromEntries(
      Object.entries(threads)
        .map(([name, ms]) => [name, perBlock(ms / 1_000)] as const)
        .filter(([, us]) => us > 0)
        .sort((a, b) => b[1] - a[1]),
    ),
  };
}
