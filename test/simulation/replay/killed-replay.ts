import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunningServer } from '../../../src/platform/clickhouse/embedded/server-state.ts';
import { StageProcess, type SupervisedStage } from '../common/stage-process.ts';
import type { Kill, Victim } from './kill-plan.ts';

export interface KilledReplay {
  readonly directory: string;
  readonly flags: readonly string[];
  readonly kills: readonly Kill[];
  /** The process that follows the head meanwhile; it is started again when it is killed. */
  readonly head?: SupervisedStage;
  /** File to which the output of the processes is appended. */
  readonly log: string;
}

export interface KilledOutcome {
  /** Kills that were done; others came too late, when their replay was through. */
  readonly killed: readonly Victim[];
  readonly processes: number;
  readonly stdout: string;
}

/** Something that no kill explains. */
export class UnexplainedEndError extends Error {
  override readonly name = 'UnexplainedEndError';
}

const POLL_INTERVAL_MS = 10;
/** Output of a replay when a batch is written (src/cli/commands/replay.ts). */
const WRITTEN = 'replayed blocks:';
/** A replay without output for this time hangs. */
const HANG_MS = 90_000;
/** For so long what happened to the store may end processes: it has to come back first. */
const AFTERMATH_MS = 20_000;

/**
 * Runs `tonhouse replay base --yes` again and again, each time disturbed by the next of `kills`, until it ends well with
 * none of them left. One that ends well before makes a version, and the next one another.
 */
export async function killedReplay(options: KilledReplay): Promise<KilledOutcome> {
  const { directory, flags, kills, head, log } = options;
  const killed: Victim[] = [];
  const left = [...kills];
  let storeKilledAt = Number.NEGATIVE_INFINITY;
  for (let processes = 1; ; processes++) {
    if (!head) await storeGone(directory);
    const args = ['replay', 'base', '--yes', '--data', directory, ...flags];
    const replay = new StageProcess(args, {}, log);
    const watching = watchProgress(replay);
    try {
      const kill = left.shift();
      const victim = kill && (await disturb(options, replay, kill)) ? kill.victim : null;
      if (victim) killed.push(victim);
      if (victim && victim !== 'replay') storeKilledAt = Date.now();
      const { code, signal } = await replay.exited;
      if (code === 0 && left.length === 0) return { killed, processes, stdout: replay.stdout };
      if (code === 0) continue;
      const isKilled = signal === 'SIGKILL' && (victim === 'replay' || victim === 'both');
      // A replay may end with an error where its store was killed: the next one goes on.
      const isAftermath = code === 1 && Date.now() - storeKilledAt < AFTERMATH_MS;
      if (!isKilled && !isAftermath)
        throw new UnexplainedEndError(`the replay ended with ${code ?? signal}: ${replay.words}`);
    } finally {
      clearInterval(watching);
      replay.signal('SIGKILL');
      await replay.exited;
    }
  }
}

function watchProgress(replay: StageProcess): NodeJS.Timeout {
  let said = replay.words;
  let saidAt = Date.now();
  return setInterval(() => {
    if (replay.words !== said) saidAt = Date.now();
    said = replay.words;
    if (Date.now() - saidAt > HANG_MS) replay.signal('SIGABRT');
  }, 1_000);
}

/** Whether there was anybody to kill. */
async function disturb(
  { directory, head }: KilledReplay,
  replay: StageProcess,
  { victim, anchor, delayMs }: Kill,
): Promise<boolean> {
  const clickhouse = join(directory, 'clickhouse');
  const isReached = () =>
    anchor === 'store' ? findRunningServer(clickhouse) !== null : replay.words.includes(WRITTEN);
  while (!replay.gone && !isReached()) await sleep(POLL_INTERVAL_MS);
  await Promise.race([sleep(delayMs), replay.exited]);
  if (replay.gone) return false;
  if (victim === 'replay') return replay.signal('SIGKILL');
  if (victim === 'head') return head?.signal('SIGKILL') ?? false;
  // The store would end in order: it is killed before that.
  const store = findRunningServer(clickhouse);
  if (!store || !killNow(store.pid)) return false;
  return victim === 'store' || replay.signal('SIGKILL');
}

function killNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** A server ends a moment after the process that started it; the next process is to start its own. */
async function storeGone(directory: string): Promise<void> {
  while (findRunningServer(join(directory, 'clickhouse'))) await sleep(POLL_INTERVAL_MS);
}
