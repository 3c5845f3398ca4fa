import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/observability/log.ts';
import { LeaseHeldError } from './errors.ts';
import type { Bus, LogWriter } from './port.ts';

/**
 * Waits until the log can be written. A killed process leaves a lease that lapses: this is logged and awaited. A lease
 * that is renewed meanwhile has a living holder: throws `LeaseHeldError`.
 */
export async function waitForWriter(
  bus: Bus,
  { topic, sessionMs }: { readonly topic: string; readonly sessionMs: number },
  session: { readonly owner: string; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  for (let before: LeaseHeldError | null = null; ; ) {
    const held = await takeAndRelease(() => bus.writer(topic, session.owner, sessionMs));
    if (!held) return;
    if (before?.owner === held.owner && held.expiresAt > before.expiresAt) throw held;
    before = held;
    const waitMs = Math.max(1, held.expiresAt.getTime() - Date.now() + 1);
    session.log.info(
      { owner: held.owner, waitMs },
      'the log has a lease of another process; waiting until it lapses',
    );
    await sleep(waitMs, undefined, { signal: session.signal });
  }
}

/** Null if the lease was free, else its holder. */
async function takeAndRelease(take: () => Promise<LogWriter>): Promise<LeaseHeldError | null> {
  try {
    await (await take()).release();
    return null;
  } catch (error) {
    if (error instanceof LeaseHeldError) return error;
    throw error;
  }
}
