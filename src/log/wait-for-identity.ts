import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/observability/log.ts';
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
  for (let waits = 0; ; waits++) {
    const identity = await bus.identity();
    if (identity) return identity;
    if (waits === 0) log.info({}, 'the log is not made yet; waiting for it');
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}
