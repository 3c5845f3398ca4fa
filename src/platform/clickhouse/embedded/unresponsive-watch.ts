import { pause } from '../../retry/poll.ts';
import { isHeard } from './server-http.ts';
import type { RunningServer } from './server-state.ts';

/**
 * How long a live server may answer nothing before it counts as unresponsive, milliseconds. A loaded disk or a full processor
 * makes it late by seconds, and its own start after a crash by some ten: a minute is none of them.
 */
export const UNRESPONSIVE_MS = 60_000;

/** Requests that must stay unanswered one after the other, however long one of them took. */
const MIN_FAILURES = 3;
const ASKS = 6;

/**
 * Sends `SELECT 1` over a separate connection, about six times in `unresponsiveMs`. Resolves with true if none was answered for
 * that long, with false when the signal aborts. An error of the server is an answer: it is only busy. Time counts from
 * the first failed request, so a pause of this process or of the machine does not count.
 */
export async function untilUnresponsive(
  server: RunningServer,
  { unresponsiveMs, signal }: { readonly unresponsiveMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const pauseMs = Math.ceil(unresponsiveMs / ASKS);
  let failures = 0;
  let since = 0;
  while (!signal.aborted) {
    await pause(pauseMs, signal, { isBackground: true });
    if (signal.aborted) return false;
    const startedAt = performance.now();
    if (await isHeard(server, pauseMs)) failures = 0;
    else if (++failures === 1) since = startedAt;
    if (failures >= MIN_FAILURES && performance.now() - since >= unresponsiveMs) return true;
  }
  return false;
}
