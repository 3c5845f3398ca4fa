import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { callHttp, type Route } from '../http-call.ts';

const EVERY_MS = 50;

/**
 * Measures from outside how long the server's main thread answers nothing. `/healthcheck` needs no other part, so its
 * time is the delay by other work. Time in which either thread was ready and waited for a processor is subtracted, if
 * Linux reports it: on a loaded machine that is not the server's fault.
 */
export class StallProbe {
  #longest = 0;
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(route: Route, pid: number) {
    this.#done = this.#watch({ ...route, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }, pid);
  }

  /** The longest since this was asked last, ms. */
  take(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return Math.round(longest);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #watch(route: Route, pid: number): Promise<void> {
    const server = `/proc/${pid}/task/${pid}/schedstat`;
    while (!this.#stopped) {
      const before = waited(server) + waited(OWN_THREAD);
      const { ms } = await callHttp(route, { path: '/healthcheck' });
      const stalled = ms - (waited(server) + waited(OWN_THREAD) - before);
      this.#longest = Math.max(this.#longest, stalled);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    route.agent?.destroy();
  }
}

const OWN_THREAD = '/proc/thread-self/schedstat';

/** Milliseconds for which a thread was ready to run and waited: the second number of its schedstat. */
function waited(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
