import type { Log } from '../platform/observability/log.ts';
import { poll } from '../platform/retry/poll.ts';
import type { Bus, LogIdentity } from './port.ts';

const POLL_INTERVAL_MS = 1_000;

/**
 * The identity of the log once there is one: a stage may be started before the process that makes the log. Rejects with the
 * signal's reason when it aborts before.
 */
export async function waitForIdentity(
  bus: Bus,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<LogIdentity> {
  const found = await bus.identity();
  if (found) return found;
  log.info({}, 'the log is not made yet; waiting for it');
  return poll(() => bus.identity(), { everyMs: POLL_INTERVAL_MS, signal });
}
