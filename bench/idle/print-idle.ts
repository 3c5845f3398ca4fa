import { availableParallelism } from 'node:os';
import { printTable, quantile, round } from '../common/report.ts';
import type { Load } from './product-process.ts';

export interface IdleResult {
  readonly seconds: number;
  /** A default start without traffic. */
  readonly idle: Load;
  /** A local chain that makes up five transactions a second. */
  readonly traffic5: Load;
  /** A step every 400 ms, 60 transactions a second, and no client. */
  readonly mainnetHead: Load;
  /** The same, and a client that asks for the head 40 times a second and for the transactions of each step. */
  readonly mainnetHeadWatched: Load;
  /** From a step that is handed out to a list of its transactions, as that client sees it, milliseconds, sorted. */
  readonly visible: readonly number[];
}

/** Prints the result as one JSON object or as tables. */
export function printIdle(result: IdleResult, json: boolean): void {
  const summary = summarise(result);
  if (json) {
    process.stdout.write(`${JSON.stringify(summary)}\n`);
    return;
  }
  const row = (name: string, load: Load) => [name, percent(load.node), percent(load.store), total(load)];
  printTable(
    `CPU time, percent of a core, over ${result.seconds} s`,
    ['', 'node', 'store', 'both'],
    [
      row('idle', result.idle),
      row('--traffic 5', result.traffic5),
      row('mainnet head', result.mainnetHead),
      row('mainnet head, watched', result.mainnetHeadWatched),
    ],
  );
  printTable(
    'from block to a list of its transactions, ms, watched',
    ['blocks', 'p50', 'p99', 'max'],
    [[summary.visible_blocks, summary.visible_p50_ms, summary.visible_p99_ms, summary.visible_max_ms]],
  );
}

function summarise({ seconds, idle, traffic5, mainnetHead, mainnetHeadWatched, visible }: IdleResult) {
  return {
    seconds,
    cores: availableParallelism(),
    idle_percent: total(idle),
    idle: parts(idle),
    traffic5_percent: total(traffic5),
    traffic5: parts(traffic5),
    mainnet_head_percent: total(mainnetHead),
    mainnet_head: parts(mainnetHead),
    mainnet_head_watched_percent: total(mainnetHeadWatched),
    mainnet_head_watched: parts(mainnetHeadWatched),
    visible_blocks: visible.length,
    visible_p50_ms: Math.round(quantile(visible, 0.5)),
    visible_p99_ms: Math.round(quantile(visible, 0.99)),
    visible_max_ms: Math.round(visible.at(-1) ?? 0),
  };
}

function parts({ node, store }: Load) {
  return { node_percent: percent(node), store_percent: percent(store) };
}

function total({ node, store }: Load): number {
  return percent(node + store);
}

function percent(value: number): number {
  return round(value, 1);
}
