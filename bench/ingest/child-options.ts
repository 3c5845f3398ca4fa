import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../common/bench-error.ts';
import type { BenchOptions } from '../common/options.ts';
import { productArguments, productEnvironment } from '../common/product-arguments.ts';
import type { EndToEndResult } from './end-to-end.ts';

/** Label of the synthetic network. */
export const NETWORK = 'synthetic';

export interface ChildOptions extends Pick<BenchOptions, 'blocks' | 'transactions' | 'epochs'> {
  readonly data: string;
}

const CHILD = fileURLToPath(new URL('./end-to-end-child.ts', import.meta.url));

/** Runs the end-to-end ingest in a separate process: its memory and CPU belong to the pipeline. */
export async function ingestInChild({
  blocks,
  transactions,
  epochs,
  data,
}: ChildOptions): Promise<EndToEndResult> {
  const options = JSON.stringify({ blocks, transactions, epochs, data });
  const child = spawn(process.execPath, productArguments([options], CHILD), {
    env: productEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [output] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')]);
  if (child.exitCode !== 0)
    throw new BenchError(`the ingest ended with code ${child.exitCode ?? child.signalCode}`);
  return JSON.parse(output) as EndToEndResult;
}
