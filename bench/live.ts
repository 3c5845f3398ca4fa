/**
 * `npm run bench:live`: the delay of a live network. A network makes a step every 400 ms with four shards. The product
 * follows it with all projections and answers clients. For each rate it prints the time from a block at the lite server
 * until answers have it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { note, quantile, round } from './common/report.ts';
import { startProduct } from './idle/product-process.ts';
import { type ApiClients, startClients } from './live/api-clients.ts';
import { startNetwork } from './live/start-network.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const STEP_MS = 400;
const SHARDS = 4;
const WARM_UP_MS = 20_000;
const POLL_MS = 10;

const HELP = `usage: npm run -s bench:live -- [options]

  --minutes M   length of the measurement of each rate (default 1)
  --rates LIST  transactions per second, with commas (default 60,2500)
  --clients N   clients that ask all the time (default 4)
  --json        one JSON object a line for each rate
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rates: { type: 'string', default: '60,2500' },
    clients: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

/** Times of blocks: at the lite server and in an answer, Unix milliseconds. */
class Lags {
  private readonly bornAt = new Map<number, number>();
  private readonly lags: number[] = [];
  private seen = 0;
  private isCounting = false;

  born(seqno: number, at: number): void {
    this.bornAt.set(seqno, at);
  }

  count(): void {
    this.isCounting = true;
  }

  visible(head: number, at: number): void {
    for (let seqno = this.seen + 1; seqno <= head; seqno++) {
      const born = this.bornAt.get(seqno);
      if (this.isCounting && born !== undefined) this.lags.push(at - born);
    }
    this.seen = Math.max(this.seen, head);
  }

  quantile(q: number): number {
    return Math.round(
      quantile(
        this.lags.toSorted((a, b) => a - b),
        q,
      ),
    );
  }
}

async function measure(rate: number, minutes: number) {
  const steps = Math.ceil((minutes * 60_000 + WARM_UP_MS) / STEP_MS) + 100;
  note(`${rate} transactions a second: generating ${steps} steps`);
  const perStep = Math.round((rate * STEP_MS) / 1_000);
  const network = await startNetwork({ steps, shards: SHARDS, perStep, rttMs: 0, stepMs: STEP_MS });
  const data = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  const config = join(data, 'global.config.json');
  writeFileSync(config, network.config);
  const live = ['--source', 'liteserver', '--global-config', config, '--from', '1'];
  const flags = ['--data', data, '--port', '0', '--log-format', 'json', '--idle-ms', '0'];
  const lags = new Lags();
  let clients: ApiClients | null = null;
  try {
    const product = await startProduct([MAIN, 'up', ...live, ...flags], data);
    network.grow((seqno, at) => lags.born(seqno, at));
    clients = startClients(product.api, Number(values.clients), POLL_MS, (head) =>
      lags.visible(head, Date.now()),
    );
    await sleep(WARM_UP_MS);
    note('measuring');
    lags.count();
    const rssStart = product.memoryMb();
    const load = await product.loadDuring(() => sleep(minutes * 60_000));
    const rssEnd = product.memoryMb();
    await clients.stop();
    await product.stop();
    return {
      tx_per_s: rate,
      head_lag_p50_ms: lags.quantile(0.5),
      head_lag_p99_ms: lags.quantile(0.99),
      cpu_percent: { node: round(load.node, 1), store: round(load.store, 1) },
      rss_start_mb: rssStart,
      rss_end_mb: rssEnd,
    };
  } finally {
    await clients?.stop();
    network.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

for (const rate of values.rates.split(',').map(Number)) {
  const result = await measure(rate, Number(values.minutes));
  const { head_lag_p50_ms: p50, head_lag_p99_ms: p99, cpu_percent: cpu, rss_start_mb, rss_end_mb } = result;
  const text = `${rate} tx/s: lag p50 ${p50} ms, p99 ${p99} ms; CPU node ${cpu.node} %, store ${cpu.store} %; memory ${rss_start_mb} to ${rss_end_mb} MiB`;
  process.stdout.write(`${values.json ? JSON.stringify(result) : text}\n`);
}
