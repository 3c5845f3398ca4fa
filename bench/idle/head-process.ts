import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { type ProductProcess, startProduct } from './product-process.ts';

/** Options of `head-child.ts`. */
export interface HeadOptions {
  /** Folder of generated packages and zerostates. */
  readonly packs: string;
  readonly data: string;
  readonly stepMs: number;
}

/** What `head-child.ts` sends for each step. */
export interface HandedOut {
  readonly mcSeqno: number;
  /** Unix time, milliseconds. */
  readonly at: number;
}

/** A step every 400 ms with 24 transactions is 60 a second. */
const STEP_MS = 400;
const PER_STEP = 24;
const CHILD = fileURLToPath(new URL('./head-child.ts', import.meta.url));

/**
 * Generates blocks for so many seconds, and starts an index that follows them at the pace of mainnet. `handedOut`: gets
 * the Unix times of the steps by masterchain seqno, milliseconds.
 */
export async function startMainnetHead(
  folder: string,
  seconds: number,
  handedOut: Map<number, number>,
): Promise<{ readonly product: ProductProcess }> {
  const [packs, data] = [join(folder, 'packs'), join(folder, 'data')];
  const transactions = Math.ceil((seconds * 1_000) / STEP_MS) * PER_STEP;
  await generatePacks({ directory: packs, transactions, seed: 'bench', shards: 1, perStep: PER_STEP });
  const options: HeadOptions = { packs, data, stepMs: STEP_MS };
  const product = await startProduct([CHILD, JSON.stringify(options)], data, (message) => {
    const { mcSeqno, at } = message as HandedOut;
    handedOut.set(mcSeqno, at);
  });
  return { product };
}
