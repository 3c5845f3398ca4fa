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
  /** Settings of the server in addition to its defaults, as command-line flags. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** Plan of the steps that a head hands out. */
export interface HeadPlan extends Pick<HeadOptions, 'stepMs' | 'flags'> {
  readonly seconds: number;
  /** Transactions of a step. */
  readonly perStep: number;
  /** Payouts to accounts without code instead of mixed traffic. Default false. */
  readonly synthetic?: boolean;
}

/** Message that `head-child.ts` sends for each step. */
export interface HandedOut {
  readonly mcSeqno: number;
  /** Unix time, milliseconds. */
  readonly at: number;
}

/** A step every 400 ms with 24 transactions is 60 a second. */
export const MAINNET_PACE = { stepMs: 400, perStep: 24 } as const;
const CHILD = fileURLToPath(new URL('./head-child.ts', import.meta.url));

/**
 * Generates blocks for so many seconds, and starts an index that follows them at that pace. `handedOut`: gets the Unix
 * times of the steps by masterchain seqno, milliseconds.
 */
export async function startHead(
  folder: string,
  { seconds, perStep, synthetic = false, stepMs, flags = {} }: HeadPlan,
  handedOut: Map<number, number>,
): Promise<{ readonly product: ProductProcess }> {
  const [packs, data] = [join(folder, 'packs'), join(folder, 'data')];
  const transactions = Math.ceil((seconds * 1_000) / stepMs) * perStep;
  await generatePacks({ directory: packs, transactions, seed: 'bench', shards: 1, perStep, synthetic });
  const options: HeadOptions = { packs, data, stepMs, flags };
  const onMessage = (message: unknown) => {
    const { mcSeqno, at } = message as HandedOut;
    handedOut.set(mcSeqno, at);
  };
  const product = await startProduct([CHILD, JSON.stringify(options)], data, { onMessage });
  return { product };
}
