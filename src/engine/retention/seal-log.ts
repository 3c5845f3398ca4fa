import type { SealingBus } from '../../log/port.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import { dropSealedRecords } from './drop-records.ts';
import { advanceOrphanedGroups, headEpoch, type ProjectionUse } from './trim-log.ts';

const EVERY_MS = 600_000;
/** After a failed move. */
const MOVE_AGAIN_MS = 60_000;
const POLL_INTERVAL_MS = 2_000;

/** A log that seals, the number of newest epochs whose records the store keeps (0: all), and the place of the files. */
export interface SealingPlan {
  readonly sealing: SealingBus;
  readonly hotEpochs: number;
  /** Moves the sealed files to their place. Default: they stay where they are. */
  readonly move?:
    | ((signal: AbortSignal) => Promise<{ readonly files: number; readonly bytes: number }>)
    | undefined;
}

/**
 * Seals the finished epochs of the log, and drops what the store need not keep, until `signal` aborts: when an epoch is
 * finished, and every ten minutes.
 */
export async function applySealing(
  parts: EngineParts,
  plan: SealingPlan,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isComplete = await sealNow(parts, plan, others, signal);
    await untilSealable(parts, plan, isComplete ? EVERY_MS : MOVE_AGAIN_MS, signal);
  }
}

/**
 * Seals once what is finished now, drops what the store need not keep, and moves the files to their place. A failure is logged
 * and left to the next time: blocks only take more space. False if files could not be moved.
 */
export async function sealNow(
  parts: EngineParts,
  { sealing, hotEpochs, move }: SealingPlan,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await sealFinishedEpochs(parts, sealing, others, signal);
    if (hotEpochs > 0) await dropOldRecords(parts, hotEpochs, signal);
  } catch (error) {
    if (!signal.aborted) parts.log.warn({ error }, 'the log could not be sealed');
  }
  return move === undefined || signal.aborted || moveFiles(parts, move, signal);
}

async function moveFiles(
  { log }: EngineParts,
  move: NonNullable<SealingPlan['move']>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { files, bytes } = await move(signal);
    if (files > 0) log.info({ files, bytes }, 'sealed files are moved');
    return true;
  } catch (error) {
    if (!signal.aborted)
      log.warn({ error }, 'sealed files could not be moved: they stay in the data directory');
    return false;
  }
}

/** Resolves when more can be sealed than now, after `limitMs`, or when `signal` aborts. */
async function untilSealable(
  { projection }: EngineParts,
  { sealing }: SealingPlan,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const count = () => sealing.sealable(projection.reads).catch(() => 0);
  // What could not be sealed just now waits: the next attempt would probably fail too.
  const before = await count();
  const until = performance.now() + limitMs;
  while (!signal.aborted && performance.now() < until && (await count()) <= before)
    await pause(POLL_INTERVAL_MS, signal);
}

/** Seals what is finished now; groups that nobody continues hold nothing back. */
async function sealFinishedEpochs(
  parts: EngineParts,
  sealing: SealingBus,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<void> {
  const topic = parts.projection.reads;
  const head = await headEpoch(parts);
  if (head === null) return;
  await advanceOrphanedGroups(parts);
  for (const { projection, isRunning } of others)
    if (projection.reads === topic)
      await advanceOrphanedGroups({ ...parts, projection }, isRunning ? null : head);
  const sealed = await sealing.seal(topic, signal);
  const bytes = sealed.reduce((sum, one) => sum + one.bytes, 0);
  if (sealed.length > 0) parts.log.info({ epochs: sealed.length, bytes }, 'epochs of the log are sealed');
}

/** Drops the records of old epochs from the store. Returns the epochs of which parts were dropped. */
export async function dropOldRecords(
  parts: EngineParts,
  hotEpochs: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const dropped = new Set<number>();
  for await (const one of dropSealedRecords(parts, hotEpochs, signal)) {
    if (one.step === 'kept')
      parts.log.warn({ epoch: one.epoch, reason: one.reason }, 'an epoch stays in the store');
    if (one.step === 'dropped') dropped.add(one.epoch);
  }
  if (dropped.size > 0)
    parts.log.info({ epochs: dropped.size }, 'raw blocks of old epochs are in sealed files only');
  return [...dropped];
}
