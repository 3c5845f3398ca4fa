/** `npm run bench:generate`: how fast blocks are made of transactions that the TVM executes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generatePacks } from '../src/stages/capture/localnet/generate/generate-packs.ts';
import { note, printTable, round } from './common/report.ts';

const TITLE = 'bench:generate: packages of a local chain under traffic, one thread';
const HELP = `
  --transactions N   of each run (default 10000)
  --shards N         of the basechain, 1 to 4 (default 1)
  --json             one JSON object instead of a table
  --help             this text
`;

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '10000' },
    shards: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  const options = { seed: 'bench', shards: Number(values.shards) };
  try {
    // The first transactions teach the machine: they are not timed.
    note('warming up');
    await generatePacks({ ...options, directory: join(folder, 'warm-up'), transactions: 500 });
    note('timing');
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    const made = await generatePacks({
      ...options,
      directory: join(folder, 'timed'),
      transactions: Number(values.transactions),
    });
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help) process.stdout.write(`${TITLE}\n${HELP}`);
else {
  const figures = await run();
  if (values.json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else printTable(TITLE, ['', 'value'], Object.entries(figures));
}
