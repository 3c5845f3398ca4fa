import type { Log } from '../platform/observability/log.ts';
import type { Waits } from '../platform/observability/waits.ts';
import { poll } from '../platform/retry/poll.ts';
import { LeaseHeldError } from './errors.ts';
import type { Bus, LogWriter } from './port.ts';

/** The lease is asked for this often. How long it lasts by its own clock decides nothing here. */
const POLL_INTERVAL_MS = 500;

interface WaitScope {
  readonly owner: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly waits?: Waits;
}

/**
 * Waits until the log can be written. A process that was killed may leave its lease behind, which ends by itself: that
 * is logged and shown in `waits`. A lease whose end changes was renewed: its holder lives, and `LeaseHeldError` is thrown.
 */
export async function waitForWriter(
  bus: Bus,
  { topic, sessionMs }: { readonly topic: string; readonly sessionMs: number },
  { owner, log, signal, waits }: WaitScope,
): Promise<void> {
  const take = () => takeAndRelease(() => bus.writer(topic, owner, sessionMs));
  let before = await take();
  if (!before) return;
  log.info({ owner: before.owner }, 'the log has a lease of another process; waiting until it ends');
  const done = waits?.begin(`capture waits for the lease of ${before.owner} on the log`);
  const isFree = async () => {
    const held = await take();
    if (held && before?.owner === held.owner && +held.expiresAt !== +before.expiresAt) throw held;
    before = held;
    return held === null;
  };
  try {
    await poll(isFree, { everyMs: POLL_INTERVAL_MS, signal });
  } finally {
    done?.();
  }
}

/** Null if the lease was free; otherwise who holds it. */
async function takeAndRelease(take: () => Promise<LogWriter>): Promise<LeaseHeldError | null> {
  try {
    await (await take()).release();
    return null;
  } catch (error) {
    if (error instanceof LeaseHeldError) return error;
    throw error;
  }
}
