import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { movesTo } from '../common/cold-folder.ts';
import type { Picture } from '../common/store-picture.ts';
import type { CrashPlan, Fault, FaultKind } from './crash-plan.ts';
import { type CrashSource, whenServed } from './crash-source.ts';
import { dataPicture } from './data-picture.ts';
import { type IndexExit, IndexProcess } from './index-process.ts';

/** A difference between a disturbed and an undisturbed index. */
export interface Difference {
  readonly run: number;
  readonly seed: number;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
  /** The data directory, kept. */
  readonly directory: string;
}

export interface RunResult {
  readonly faults: readonly FaultKind[];
  readonly differences: readonly Difference[];
  /** Epochs whose raw blocks are in sealed files only. */
  readonly coldEpochs: number;
  /** Parts in the cold folder. */
  readonly coldParts: number;
}

export interface CrashRun {
  readonly run: number;
  readonly plan: CrashPlan;
  readonly source: CrashSource;
  /** Folder of this run: the data directory and what the processes said. Removed where everything is equal. */
  readonly folder: string;
  readonly truth: Picture;
  /** At most so many faults. */
  readonly faults: number;
  readonly onFault: (kind: FaultKind) => void;
}

/** An index that indexes nothing for so long hangs. */
const HANG_MS = 300_000;

/** Something that no fault explains. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
  readonly expected: string;
  readonly found: string;
  constructor(what: string, expected: string, found: string) {
    super(what);
    this.expected = expected;
    this.found = found;
  }
}

/** Indexes into a new data directory through the plan's faults until it is done, and compares it with the truth. */
export async function crashRun(options: CrashRun): Promise<RunResult> {
  const { run, plan, folder, truth } = options;
  const directory = join(folder, 'data');
  mkdirSync(folder, { recursive: true });
  const faults: FaultKind[] = [];
  const differ = (what: string, expected: string, found: string): Difference => ({
    run,
    seed: plan.seed,
    what,
    expected,
    found,
    directory,
  });
  try {
    while (!(await launch(options, directory, faults)));
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return {
      faults,
      differences: [differ(error.message, error.expected, error.found)],
      coldEpochs: 0,
      coldParts: 0,
    };
  }
  const { picture: found, ...counts } = await dataPicture(
    directory,
    options.source.servedUntil === undefined ? 'indexed' : 'replayed',
  );
  const differences = Object.keys({ ...truth, ...found })
    .filter((what) => truth[what] !== found[what])
    .map((what) => differ(what, truth[what] ?? 'nothing', found[what] ?? 'nothing'));
  if (differences.length === 0) rmSync(folder, { recursive: true, force: true });
  return { faults, differences, ...counts };
}

/** Runs one process until it ends: true if it reports that everything is indexed. */
async function launch(options: CrashRun, directory: string, faults: FaultKind[]): Promise<boolean> {
  const { source, plan, folder } = options;
  const flags = [...plan.flags, ...(plan.isCold ? movesTo(directory) : [])];
  const index = new IndexProcess(source.words, directory, flags, join(folder, 'index.log'));
  const most = Math.min(plan.faults, options.faults);
  const served = endWhenServed(index, directory, source);
  try {
    let ended: FaultKind | null = null;
    for (let first = true; faults.length < most && ended === null && !index.gone; first = false) {
      const fault = plan.next(first);
      await moment(index, fault);
      if (!(await inflict(index, fault.kind, plan.sessionMs))) continue;
      faults.push(fault.kind);
      options.onFault(fault.kind);
      index.progressAt = Date.now();
      if (fault.kind === 'index' || fault.kind === 'stop') ended = fault.kind;
    }
    const exit = await retryPolicy(index);
    return isDone(exit, ended, index, await served);
  } finally {
    await index.end();
  }
}

/** Ends a server that has nothing left to do, and resolves to true; false if its process ends first. Null: no server. */
export async function endWhenServed(
  index: IndexProcess,
  directory: string,
  { servedUntil }: CrashSource,
): Promise<boolean | null> {
  if (servedUntil === undefined) return null;
  const isServed = await whenServed(index, directory, servedUntil);
  return isServed && index.signal('SIGTERM');
}

async function moment(index: IndexProcess, { anchor, delayMs }: Fault): Promise<void> {
  if (anchor === 'store') await Promise.race([index.storeUp(), retryPolicy(index)]);
  await Promise.race([sleep(delayMs), index.exited]);
}

/** Whether the fault could be done. */
async function inflict(index: IndexProcess, kind: FaultKind, sessionMs: number): Promise<boolean> {
  if (kind === 'index') return index.signal('SIGKILL');
  if (kind === 'stop') return index.signal('SIGTERM');
  if (kind === 'store') return index.killStore();
  const paused = index.signal('SIGSTOP');
  await sleep(sessionMs * 1.2);
  index.signal('SIGCONT');
  return paused;
}

/** The end of the process; an index without progress is a difference. */
async function retryPolicy(index: IndexProcess): Promise<IndexExit> {
  for (;;) {
    const exit = await Promise.race([index.exited, sleep(500, null, { ref: false })]);
    if (exit) return exit;
    const silentMs = Date.now() - index.progressAt;
    if (silentMs > HANG_MS) throw new Unexpected('hang', `progress within ${HANG_MS} ms`, index.words);
  }
}

/**
 * Whether the index is done at this end. An end that no fault explains is a difference. `isServed`: whether a server had
 * nothing left to do; null: the command ends by itself.
 */
function isDone(
  { code, signal }: IndexExit,
  fault: FaultKind | null,
  index: IndexProcess,
  isServed: boolean | null,
): boolean {
  if (code === 0 && isServed !== false) return true;
  // A server ends well whenever it is asked to.
  if (code === 0 && fault === 'stop') return false;
  if (fault === 'index' && signal === 'SIGKILL') return false;
  // 1: stopped before the end. The signal: before the process listened to it.
  if (fault === 'stop' && (code === 1 || signal === 'SIGTERM')) return false;
  throw new Unexpected('exit', 'an index that goes on', `code ${code}, signal ${signal}: ${index.words}`);
}
