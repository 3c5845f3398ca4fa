import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 2;

/** When the API first says that it answers from another version (`performance.now()`). */
export async function answersFrom(
  url: string,
  database: string,
  signal: AbortSignal,
): Promise<number | null> {
  while (!signal.aborted) {
    const health = (await (await fetch(`${url}/healthz`)).json()) as { database?: string };
    if (health.database === database) return performance.now();
    await sleep(LOOK_MS);
  }
  return null;
}
