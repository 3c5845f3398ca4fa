/** The reader's process: reads until it is killed, and reports its results on request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpSender } from '../api/http-sender.ts';
import { quantile } from '../common/report.ts';
import type { ReaderOptions, ReaderReport } from './reader.ts';

let latencies: number[] = [];
let errors = 0;

process.on('message', (message: ReaderOptions | 'report') => {
  if (message === 'report') process.send?.(report());
  else void read(message);
});

// The bench is gone.
process.on('disconnect', () => process.exit());

function report(): ReaderReport {
  const sorted = latencies.sort((a, b) => a - b);
  const found = {
    requests: sorted.length,
    errors,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? 0,
  };
  latencies = [];
  errors = 0;
  return found;
}

async function read({ url, calls, pauseMs }: ReaderOptions): Promise<void> {
  const sender = new HttpSender(url, 1);
  for (let i = 0; ; i++) {
    const call = calls[i % calls.length];
    if (!call) return;
    const start = performance.now();
    const status = await sender.call(call, false).then(
      (answer) => answer.status,
      () => 0,
    );
    latencies.push(performance.now() - start);
    if (status !== 200) errors++;
    await sleep(pauseMs);
  }
}
