import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';
import { note } from './report.ts';

const CLI = fileURLToPath(new URL('../../bin/tonhouse', import.meta.url));
const run = promisify(execFile);
const MAX_OUTPUT = 64 * 2 ** 20;

/** Generates a chain of plain payouts below `folder` and indexes it; returns the data directory. */
export async function createGeneratedIndex(folder: string, transactions: number): Promise<string> {
  const packs = join(folder, 'packs');
  const data = join(folder, 'data');
  note(`generating ${transactions} transactions`);
  await cli('generate', '--synthetic', '--transactions', `${transactions}`, '--out', packs);
  note('indexing');
  const states = ZEROSTATE_FILES.flatMap((name) => ['--state', join(packs, name)]);
  await cli('index', `archive:${packs}`, ...states, '--data', data);
  return data;
}

async function cli(...args: readonly string[]): Promise<void> {
  await run(CLI, args, { maxBuffer: MAX_OUTPUT });
}
