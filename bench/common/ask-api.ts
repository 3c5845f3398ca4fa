import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from './bench-error.ts';

/** A server that is busy, or takes longer than its time limit, is asked again for so long, ms. */
const BUSY_MS = 60_000;
const PAUSE_MS = 500;
/** Characters of an error's body that are shown. */
const MAX_TEXT = 300;

/**
 * The JSON of an answer of the API. A server error means a busy machine (docs: time limits are 500, overload is 503)
 * and is retried for `busyMs`.
 * @throws BenchError with the other answer
 */
export async function askApi<Answer>(url: string, busyMs = BUSY_MS): Promise<Answer> {
  for (const end = performance.now() + busyMs; ; await sleep(PAUSE_MS)) {
    const answer = await fetch(url);
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text) as Answer;
    if (answer.status < 500 || performance.now() >= end)
      throw new BenchError(`${url} was answered with ${answer.status}: ${text.slice(0, MAX_TEXT)}`);
  }
}
