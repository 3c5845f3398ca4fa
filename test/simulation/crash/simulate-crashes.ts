import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../contract/log/seeded-random.ts';
import { type Picture, type RowCounts, rowsOf } from '../common/store-picture.ts';
import { crashPlan, FAULTS, type FaultKind } from './crash-plan.ts';
import { crashRun, type Difference, endWhenServed } from './crash-run.ts';
import type { CrashSource } from './crash-source.ts';
import { dataPicture } from './data-picture.ts';
import { IndexProcess } from './index-process.ts';

/**
 * The run of CI: `--short`. The store is killed, then the process three times, then it is paused. Each fault comes soon after
 * the store is up, before an index can be done on any machine, so few data directories are enough. The first run of a
 * server's source has four faults at least. Sessions are longer than
 * in the long run, because a process on a busy machine may get no time for two seconds. Old epochs become cold meanwhile.
 */
export const SHORT_RUN = {
  kills: 5,
  seed: 3,
  isShort: true,
  sessionMs: 5_000,
  hotEpochs: 1,
  isCold: true,
} as const;

/** Faults of the first run of each source at least. */
const MIN_FAULTS = 4;

export interface SimulationOptions {
  /** Faults in all. */
  readonly kills: number;
  readonly seed: number;
  /** Runs take turns with them; each has one at least. */
  readonly sources: readonly CrashSource[];
  /** True: most faults come within the short time of the source. Default: 1.5 times that of an undisturbed index, at least 3,000 ms. */
  readonly isShort?: boolean;
  /** Session of the leases, ms. Default: 1,000 to 2,000, by the seed. */
  readonly sessionMs?: number;
  /** Newest epochs whose raw blocks stay in the store; 0: all. Default: by the seed. */
  readonly hotEpochs?: number | undefined;
  /** True: old parts of tables move to a cold folder. Default: in some runs, by the seed. */
  readonly isCold?: boolean | undefined;
  readonly onProgress: (kills: number, note: string) => void;
  readonly onDifference: (difference: Difference) => void;
}

export interface SimulationResult {
  readonly seed: number;
  readonly kills: number;
  readonly byKind: Readonly<Record<FaultKind, number>>;
  readonly runs: number;
  /** Rows of all tables of each run whose checksums were compared, by projection. */
  readonly rowsOfRun: RowCounts;
  /** Epochs whose raw blocks were in sealed files only at the end of the runs. */
  readonly coldEpochs: number;
  /** Parts in cold folders at the end of the runs. */
  readonly coldParts: number;
  readonly differences: readonly Difference[];
  readonly seconds: number;
}

/** Faults, run after run, each in a data directory of its own, until there were `kills` of them. */
export async function simulateCrashes(options: SimulationOptions): Promise<SimulationResult> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-crash-'));
  const byKind = Object.fromEntries(FAULTS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  const differences: Difference[] = [];
  const seeds = new SeededRandom(options.seed);
  let kills = 0;
  let runs = 0;
  let coldEpochs = 0;
  let coldParts = 0;
  const { sources, isShort = false } = options;
  let rowsOfRun: RowCounts = {};
  try {
    const known: Awaited<ReturnType<typeof groundTruth>>[] = [];
    for (const source of sources) known.push(await groundTruth(source, join(folder, 'truth')));
    rowsOfRun = rowsOf(...known.map(({ truth }) => truth));
    while (kills < options.kills || runs < sources.length) {
      const turn = runs % sources.length;
      const run = ++runs;
      const source = sources[turn]!;
      const { truth, workMs } = known[turn]!;
      const plan = crashPlan(seeds.between(0, 2 ** 31), {
        workMs: isShort ? source.shortMs : workMs,
        sessionMs: options.sessionMs,
        hotEpochs: options.hotEpochs,
        isCold: options.isCold,
      });
      const result = await crashRun({
        run,
        plan,
        source,
        folder: join(folder, `run-${run}`),
        truth,
        faults: Math.max(options.kills - kills, run <= sources.length ? MIN_FAULTS : 0),
        onFault: (kind) => {
          kills++;
          byKind[kind]++;
          options.onProgress(kills, `run ${run}: ${kind} (${plan.flags.join(' ')})`);
        },
      });
      result.differences.forEach(options.onDifference);
      differences.push(...result.differences);
      coldEpochs += result.coldEpochs;
      coldParts += result.coldParts;
    }
  } finally {
    if (differences.length === 0) rmSync(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  return { seed: options.seed, kills, byKind, runs, rowsOfRun, coldEpochs, coldParts, differences, seconds };
}

/** Picture of an undisturbed index of the source with default settings, and how long it works. */
export async function groundTruth(
  source: CrashSource,
  folder: string,
): Promise<{ truth: Picture; workMs: number }> {
  const directory = join(folder, 'data');
  const index = new IndexProcess(source.words, directory, [], join(folder, '..', 'truth.log'));
  const served = endWhenServed(index, directory, source);
  await index.storeUp();
  const up = Date.now();
  const { code } = await index.exited;
  if (code !== 0 || (await served) === false)
    throw new Error(`the undisturbed index ended with code ${code}: ${index.words}`);
  // Small batches take longer than the default ones of this run.
  const workMs = Math.max(3_000, (Date.now() - up) * 1.5);
  const { picture: truth } = await dataPicture(
    directory,
    source.servedUntil === undefined ? 'indexed' : 'served',
  );
  rmSync(folder, { recursive: true, force: true });
  return { truth, workMs };
}
