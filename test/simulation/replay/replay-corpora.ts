import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePacks, ZEROSTATE_FILES } from '../../../src/localnet/generate/generate-packs.ts';
import { sharedCorpora } from '../chaos/chaos-world.ts';

/** A chain to index. */
export interface ReplayCorpus {
  readonly name: string;
  readonly source: string;
  /** Value of `--network`, if the source does not contain it. */
  readonly network?: string;
  /** States that the index begins with. */
  readonly states?: readonly string[];
}

/** A local chain under traffic, made for one round. */
export interface GeneratedChain {
  readonly transactions: number;
  /** Transactions of a masterchain step. */
  readonly perStep: number;
  readonly shards: 1 | 2 | 4;
  readonly seed: string;
}

/** Which chain a round is about: one of the shared ones by its number, or one that is made. */
export type CorpusChoice = number | GeneratedChain;

/** Calls `work` with the chain; one that was made is removed afterwards. */
export async function withCorpus<T>(
  choice: CorpusChoice,
  shared: string,
  work: (corpus: ReplayCorpus) => Promise<T>,
): Promise<T> {
  if (typeof choice === 'number') {
    const corpora = sharedCorpora(shared);
    return work(corpora[choice % corpora.length] as ReplayCorpus);
  }
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-replay-chain-'));
  try {
    const directory = join(folder, 'packs');
    await generatePacks({ directory, ...choice });
    return await work({
      name: `local chain of ${choice.transactions} transactions, ${choice.shards} shards`,
      source: `archive:${directory}`,
      network: 'localnet',
      states: ZEROSTATE_FILES.map((name) => join(directory, name)),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
