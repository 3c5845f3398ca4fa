import type { LaneLease, LogConsumer } from '../../log/port.ts';
import { pollFor } from '../../platform/retry/poll.ts';

const POLL_INTERVAL_MS = 200;
/** Sessions after which the lanes of a killed process are free. */
const SESSIONS = 1.5;

/** Claims all lanes of a consumer group. Returns null if another process still holds a lane after one and a half sessions. */
export function claimAll(
  consumer: LogConsumer,
  {
    lanes,
    sessionMs,
    signal,
  }: { readonly lanes: number; readonly sessionMs: number; readonly signal: AbortSignal },
): Promise<readonly LaneLease[] | null> {
  const claim = async () => {
    const leases = await consumer.claim();
    return leases.length === lanes && leases;
  };
  return pollFor(claim, SESSIONS * sessionMs, { everyMs: POLL_INTERVAL_MS, signal });
}
