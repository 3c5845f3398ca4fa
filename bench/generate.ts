/**
 * `npm run bench:generate`: how fast blocks are made, of transactions that the TVM executes and of synthetic ones. Issue 5
 * asks for 2,500 synthetic transactions a second.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generatePacks } from '../src/localnet/generate/generate-packs.ts';
import { note, printTable, round } from './common/report.ts';

const TITLE = 'bench:generate: packages of a local chain, one thread';
const HELP = `
  --transactions N   executed by the TVM (default 10000)
  --synthetic N      synthetic ones (default 100000)
  --shards N         of the basechain, 1 to 4 (default 1)
  --json             one JSON object instead of a table
  --help             this text
`;

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '10000' },
    synthetic: { type: 'string', default: '100000' },
    shards: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** One mode; the first transactions teach the machine and are not timed. */
async function measure(folder: string, transactions: number, synthetic: boolean) {
  const options = { seed: 'bench', shards: Number(values.shards), synthetic };
  const mode = synthetic ? 'synthetic' : 'tvm';
  note(`${mode}: warming up`);
  const warmUp = Math.min(transactions, synthetic ? 5_000 : 500);
  await generatePacks({ ...options, directory: join(folder, `${mode}-warm-up`), transactions: warmUp });
  note(`${mode}: timing`);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const made = await generatePacks({ ...options, directory: join(folder, mode), transactions });
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const cpuSeconds = (used.user + used.system) / 1e6;
  return {
    transactions: made.transactions,
    blocks: made.blocks,
    seconds: round(seconds, 1),
    cpu_seconds: round(cpuSeconds, 1),
    transactions_per_second: Math.round(made.transactions / seconds),
    transactions_per_cpu_second: Math.round(made.transactions / cpuSeconds),
    bytes_per_transaction: Math.round(made.bytes / made.transactions),
  };
}

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const tvm = await measure(folder, Number(values.transactions), false);
    return { tvm, synthetic: await measure(folder, Number(values.synthetic), true) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help) process.stdout.write(`${TITLE}\n${HELP}`);
else {
  const { tvm, synthetic } = await run();
  if (values.json) process.stdout.write(`${JSON.stringify({ tvm, synthetic })}\n`);
  else {
    const rows = Object.keys(tvm) as (keyof typeof tvm)[];
    printTable(
      TITLE,
      ['', 'executed by the TVM', 'synthetic'],
      rows.map((name) => [name, tvm[name], synthetic[name]]),
    );
  }
}
