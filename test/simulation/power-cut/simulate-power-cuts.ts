import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import type { CrashSource } from '../crash/crash-source.ts';
import { groundTruth } from '../crash/simulate-crashes.ts';
import { buildRecorder } from './build-recorder.ts';
import { type CutResult, cutRound } from './cut-round.ts';

/** The run of CI: `--short`. One index, cut once on each layout of the disk. Its batches are large, so an index is fast. */
export const SHORT_RUN = { cuts: 2, seed: 158, hotEpochs: 1, isCold: false } as const;

export interface PowerCutOptions {
  readonly cuts: number;
  readonly seed: number;
  readonly source: CrashSource;
  /** Newest epochs whose raw blocks stay in the store; 0: all. Default: by the seed. */
  readonly hotEpochs?: number | undefined;
  /** True: old parts of tables move to a cold folder. Default: in some rounds, by the seed. */
  readonly isCold?: boolean | undefined;
  readonly onCut: (result: CutResult, done: number) => void;
}

/** Power cuts at random moments of one index after the other. Files of those that failed are kept. */
export async function simulatePowerCuts(options: PowerCutOptions): Promise<readonly CutResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-power-'));
  const results: CutResult[] = [];
  const seeds = new SeededRandom(options.seed);
  try {
    const recorder = buildRecorder(folder);
    const { truth, workMs } = await groundTruth(options.source, join(folder, 'truth'));
    for (let round = 1; results.length < options.cuts; round++) {
      const at = join(folder, `round-${round}`);
      const before = results.length;
      await cutRound({
        seed: seeds.between(0, 2 ** 31),
        source: options.source,
        hotEpochs: options.hotEpochs,
        isCold: options.isCold,
        folder: at,
        recorder,
        truth,
        workMs,
        cuts: options.cuts - results.length,
        onCut: (result) => {
          results.push(result);
          options.onCut(result, results.length);
        },
      });
      if (results.slice(before).every(({ wrong }) => wrong.length === 0))
        rmSync(at, { recursive: true, force: true });
    }
    return results;
  } finally {
    if (results.every(({ wrong }) => wrong.length === 0)) rmSync(folder, { recursive: true, force: true });
  }
}
