import type { SealingBus } from '../../log/port.ts';
import { pause } from '../../platform/retry/poll.ts';
import type { EngineParts } from '../engine-parts.ts';
import { advanceOrphanedGroups, headEpoch, type ProjectionUse } from './trim-log.ts';

const EVERY_MS = 600_000;

/**
 * Seals, every ten minutes, the finished epochs of the log, until `signal` aborts. A failure is logged and left to the
 * next time: the log only takes more space.
 */
export async function applySealing(
  parts: EngineParts,
  sealing: SealingBus,
  others: readonly ProjectionUse[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await sealFinishedEpochs(parts, sealing, others, signal);
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
