import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 2;

/** Time of the first answer from another version, ms since 1970. */
export async function answersFrom(url: string, database: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    const response = await fetch(`${url}/healthz`, { signal });
    const health = (await response.json()) as { database?: string };
    if (health.database === database) return performance.timeOrigin + performance.now();
    await sleep(POLL_INTERVAL_MS);
  }
}
