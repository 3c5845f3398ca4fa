import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from '../../src/capture/source.ts';
import { readStateFile } from '../../src/capture/states.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { generatePacks } from '../../src/localnet/generate/generate-packs.ts';

export interface LocalBlocksOptions {
  /** Keys and genesis follow from it: another seed makes another network. */
  readonly seed?: string;
  readonly shards?: number;
  readonly transactions?: number;
  /** Default 1; above 65,536 every masterchain block is a key block. */
  readonly secondsPerStep?: number;
  /** Transactions of a step. Default 10. */
  readonly perStep?: number;
}

/** A short chain, made here: for tests that must run without the shared data. The same options give the same blocks. */
export async function makeLocalBlocks(options: LocalBlocksOptions = {}): Promise<readonly Step[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-blocks-'));
  try {
    const { seed = 'test', shards = 1, transactions = 60, secondsPerStep = 1, perStep = 10 } = options;
    const out = join(directory, 'out');
    await generatePacks({
      directory: out,
      transactions,
      seed,
      shards,
      perStep,
      synthetic: true,
      secondsPerStep,
    });
    const source = await openSource(`archive:${out}`);
    const steps: Step[] = [];
    const states = await Promise.all(
      ['zerostate_-1.boc', 'zerostate_0.boc'].map((name) => readStateFile(join(out, name))),
    );
    steps.push({ mcSeqno: 0, states, blocks: [] });
    for await (const step of source.steps(null, new AbortController().signal)) steps.push(step);
    await source.close();
    return steps;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
