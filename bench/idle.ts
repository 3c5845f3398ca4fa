/**
 * `npm run bench:idle`: the cost of the product while nothing or little happens, and the delay until a block is
 * visible.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BenchError } from './common/bench-error.ts';
import { note } from './common/report.ts';
import { MAINNET_PACE, startHead } from './idle/head-process.ts';
import { readIdleOptions } from './idle/idle-options.ts';
import { printIdle } from './idle/print-idle.ts';
import { type Load, type ProductProcess, startProduct } from './idle/product-process.ts';
import { watchHead } from './idle/visible-watch.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** After a start, so that what it wrote is merged and proven, and what is compiled once is compiled. */
const WARM_UP_SECONDS = 90;
/** Blocks beyond the windows: the chain must not end during the measurement. */
const SPARE_SECONDS = 60;

/** Runs in a folder of its own, which is removed afterwards with the process in it. */
async function inFolder<Result>(
  start: (folder: string) => Promise<{ readonly product: ProductProcess }>,
  work: (product: ProductProcess) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const { product } = await start(folder);
    try {
      await sleep(WARM_UP_SECONDS * 1_000);
      return await work(product);
    } finally {
      await product.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureStart(name: string, seconds: number, flags: readonly string[]): Promise<Load> {
  note(name);
  const start = async (data: string) => {
    const args = ['up', '--data', data, '--port', '0', '--log-format', 'json', ...flags];
    return { product: await startProduct([MAIN, ...args], data) };
  };
  return inFolder(start, (product) => product.loadDuring(() => sleep(seconds * 1_000)));
}

async function measureHead(seconds: number) {
  note('mainnet head');
  const handedOut = new Map<number, number>();
  const plan = { ...MAINNET_PACE, seconds: WARM_UP_SECONDS + 2 * seconds + SPARE_SECONDS };
  const start = (folder: string) => startHead(folder, plan, handedOut);
  return inFolder(start, async (product) => {
    const mainnetHead = await product.loadDuring(() => sleep(seconds * 1_000));
    note('mainnet head, watched');
    let visible: readonly number[] = [];
    const mainnetHeadWatched = await product.loadDuring(async () => {
      visible = await watchHead(product.api, handedOut, seconds);
    });
    return { mainnetHead, mainnetHeadWatched, visible: visible.toSorted((a, b) => a - b) };
  });
}

try {
  const options = readIdleOptions();
  if (options) {
    const { seconds, json } = options;
    const idle = await measureStart('idle', seconds, []);
    const traffic5 = await measureStart('--traffic 5', seconds, ['--traffic', '5']);
    printIdle({ seconds, idle, traffic5, ...(await measureHead(seconds)) }, json);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
