/**
 * `npm run bench:blocks`: the price of a block besides its transactions, for a chain like mainnet's: four shards and the
 * masterchain make a block each in every step, and 60 % of the blocks have no transactions. Issue 45 asks for 100 µs.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BlockFigures, measureBlocks } from './blocks/measure-blocks.ts';
import { measureProcesses, type ProcessFigures } from './blocks/measure-processes.ts';
import { BenchError } from './common/bench-error.ts';
import { benchDirectory, count } from './common/options.ts';
import { printTable } from './common/report.ts';

const TITLE = 'bench:blocks: CPU of a block, from archive files to rows of all projections';
const HELP = `
  --blocks N    of the generated chain, at least (default 10000)
  --processes LIST
                base alone instead, by so many processes on one log, such as 1,2,4; their rows must be equal
  --data DIR    data directory (default: a temporary one, removed afterwards)
  --json        one JSON object instead of a table
  --help        this text
`;

function print({ projections, capture_cpu_us_per_block, ...all }: BlockFigures): void {
  const rows = Object.entries(all).map(([name, value]) => [name, value ?? '?']);
  printTable(TITLE, ['', ''], rows);
  const parts = Object.entries({ 'archive to log': capture_cpu_us_per_block, ...projections });
  const shares = parts.map(([name, cpu]) => [name, cpu ?? '?']);
  printTable('CPU, µs a block, one after the other', ['', ''], shares);
}

function printProcesses(runs: readonly ProcessFigures[]): void {
  const rows = runs.map((run) => [
    run.processes,
    run.blocks_per_s,
    run.cpu_us_per_block ?? '?',
    run.memory_mib ?? '?',
  ]);
  printTable(
    'base by several processes on one log, with equal rows',
    ['processes', 'blocks/s', 'CPU, µs a block', 'memory of one, MiB'],
    rows,
  );
}

try {
  const { values } = parseArgs({
    options: {
      blocks: { type: 'string', default: '10000' },
      processes: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(`${TITLE}\n${HELP}`);
  else {
    const directory = benchDirectory({ data: values.data ?? null });
    try {
      const blocks = count('blocks', values.blocks);
      const show = <T>(figures: T, toTables: (figures: T) => void) =>
        values.json ? process.stdout.write(`${JSON.stringify(figures)}\n`) : toTables(figures);
      if (values.processes === undefined) show(await measureBlocks(directory.path, blocks), print);
      else {
        const counts = values.processes.split(',').map((text) => count('processes', text));
        show(await measureProcesses(directory.path, blocks, counts), printProcesses);
      }
    } finally {
      rmSync(join(directory.path, 'packs'), { recursive: true, force: true });
      directory.leave();
    }
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
