import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Step } from '../../src/capture/source.ts';
import { readStateFile } from '../../src/capture/states.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { generatePacks, ZEROSTATE_FILES } from '../../src/localnet/generate/generate-packs.ts';

export interface LocalBlocksOptions {
  /** Keys and genesis follow from it: another seed makes another network. */
  readonly seed?: string;
  readonly shards?: number;
  readonly transactions?: number;
  /** Default 1; above 65,536 every masterchain block is a key block. */
  readonly secondsPerStep?: number;
}

/** A short chain, made here: for tests that must run without the shared data. The same options give the same blocks. */
export async function makeLocalBlocks(options: LocalBlocksOptions = {}): Promise<readonly Step[]> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-blocks-'));
  try {
    const { seed = 'test', shards = 1, transactions = 60, secondsPerStep = 1 } = options;
    const out = join(directory, 'out');
    await generatePacks({
      directory: out,
      transactions,
      seed,
      shards,
      perStep: 10,
      synthetic: true,
      secondsPerStep,
    });
    return await readLocalBlocks(out);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Generated packages: first a step with the zerostates, then every step. */
export async function readLocalBlocks(directory: string): Promise<readonly Step[]> {
  const states = await Promise.all(ZEROSTATE_FILES.map((name) => readStateFile(join(directory, name))));
  const steps: Step[] = [{ mcSeqno: 0, states, blocks: [] }];
  const source = await openSource(`archive:${directory}`);
  for await (const step of source.steps(null, new AbortController().signal)) steps.push(step);
  await source.close();
  return steps;
}
