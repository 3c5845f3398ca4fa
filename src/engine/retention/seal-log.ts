import type { SealingBus } from '../../log/port.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import { dropSealedRecords } from './drop-records.ts';
import { advanceOrphanedGroups, headEpoch, type ProjectionUse } from './trim-log.ts';

const EVERY_MS = 600_000;

/** A log that seals, and the number of newest epochs whose records the store keeps; 0: all. */
export interface SealingPlan {
  readonly sealing: SealingBus;
  readonly hotEpochs: number;
}

/**
 * Seals, every ten minutes, the finished epochs of the log, and drops what the store need not keep, until `signal` aborts.
 * A failure is logged and left to the next time: blocks only take more space.
 */
export async function applySealing(
  parts: EngineParts,
  { sealing, hotEpochs }: SealingPlan,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sealFinishedEpochs(parts, sealing, others, signal);
      if (hotEpochs > 0) await dropOldRecords(parts, hotEpochs, signal);
    } catch (error) {
      if (!signal.aborted) parts.log.warn({ error }, 'the log could not be sealed');
    }
    await pause(EVERY_MS, signal);
  }
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
