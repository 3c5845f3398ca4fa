/** `npm run bench:stream`: how soon events are at 1,000 clients, and whether the feed loses any at 2,500 transactions a second. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchError } from './common/bench-error.ts';
import { count } from './common/options.ts';
import { note } from './common/report.ts';
import { type HeadPlan, MAINNET_PACE, startHead } from './idle/head-process.ts';
import type { ProductProcess } from './idle/product-process.ts';
import { IDLE_SECONDS, measureDelays } from './stream/measure-delays.ts';
import { measureLosses } from './stream/measure-losses.ts';
import { printStream } from './stream/print-stream.ts';

const HELP = `bench:stream: events at the clients of streams

  --subscribers N   streams at the head of mainnet's pace (default 1000)
  --rate N          transactions a second of the second part (default 2500)
  --seconds N       length of each part (default 30)
  --json            one JSON object instead of tables
  --help            this text
`;

/** After a start, so that what is compiled once is compiled. */
const WARM_UP_SECONDS = 10;
/** Blocks beyond those that are measured: streams have to be opened, and the chain must not end meanwhile. */
const SPARE_SECONDS = { delays: 40 + IDLE_SECONDS, losses: 10 } as const;
/** Maximum transactions of a step of payouts: at a low rate a step has one second's transactions. */
const PAYOUTS = 1_536;

async function withHead<Result>(plan: HeadPlan, work: (product: ProductProcess) => Promise<Result>) {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const { product } = await startHead(folder, plan, new Map());
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

interface StreamOptions {
  readonly subscribers: number;
  readonly rate: number;
  readonly seconds: number;
}

async function run({ subscribers, rate, seconds }: StreamOptions) {
  const lasting = (part: keyof typeof SPARE_SECONDS) => WARM_UP_SECONDS + seconds + SPARE_SECONDS[part];
  const flags = { maxConnections: `${2 * subscribers + 100}` };
  note(`${subscribers} subscribers at mainnet's pace`);
  const delays = await withHead({ ...MAINNET_PACE, seconds: lasting('delays'), flags }, (product) =>
    measureDelays(product, subscribers, seconds),
  );
  note(`p99 ${Math.round(delays.p99)} ms; ${rate} transactions a second`);
  const perStep = Math.min(PAYOUTS, rate);
  const payouts = { perStep, stepMs: (perStep / rate) * 1_000, synthetic: true };
  const losses = await withHead({ ...payouts, seconds: lasting('losses') }, ({ api }) =>
    measureLosses(api, seconds),
  );
  return { subscribers, wantedRate: rate, delays, losses };
}

try {
  const { values } = parseArgs({
    options: {
      subscribers: { type: 'string', default: '1000' },
      rate: { type: 'string', default: '2500' },
      seconds: { type: 'string', default: '30' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else
    printStream(
      await run({
        subscribers: count('subscribers', values.subscribers),
        rate: count('rate', values.rate),
        seconds: count('seconds', values.seconds),
      }),
      values.json,
    );
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
