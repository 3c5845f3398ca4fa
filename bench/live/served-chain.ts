import { existsSync, renameSync, rmSync } from 'node:fs';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';
import { note } from '../common/report.ts';

/** Seed of the chain: the key of its validator follows from it. */
export const CHAIN_SEED = 'bench';
const SHARDS = 4;

/** Chain that a lite server of a bench offers. */
export interface ChainPlan {
  /** Masterchain blocks, at least. */
  readonly steps: number;
  /** Transactions of a step, ticks and tocks not counted. */
  readonly perStep: number;
  /** Payouts to accounts without code instead of mixed traffic. */
  readonly synthetic: boolean;
}

/** Writes packages of a signed local chain with four shards, unless the folder exists already. */
export async function generateChain(
  directory: string,
  { steps, perStep, synthetic }: ChainPlan,
): Promise<void> {
  if (existsSync(directory)) return note(`chain of ${directory}`);
  note(`generating ${steps} steps of ${perStep} transactions`);
  const part = `${directory}.part`;
  rmSync(part, { recursive: true, force: true });
  const over = new AbortController();
  await generatePacks({
    directory: part,
    transactions: Number.MAX_SAFE_INTEGER,
    seed: CHAIN_SEED,
    shards: SHARDS,
    perStep,
    synthetic,
    signal: over.signal,
    onProgress: ({ mcSeqno }) => {
      if (mcSeqno >= steps) over.abort();
    },
  });
  renameSync(part, directory);
}
