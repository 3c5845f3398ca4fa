import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HttpCall } from '../api/http-sender.ts';

/** Latencies and failures of a reader of the API since the last report. */
export interface ReaderReport {
  readonly requests: number;
  /** Answers other than 200, and requests without one. */
  readonly errors: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Options of the reader: it sends one request after the other, with a pause between. */
export interface ReaderOptions {
  readonly url: string;
  readonly calls: readonly HttpCall[];
  readonly pauseMs: number;
}

const CHILD = fileURLToPath(new URL('./reader-child.ts', import.meta.url));

/** A reader of the API in a process of its own. */
export class Reader {
  readonly #child: ReturnType<typeof fork>;

  constructor(options: ReaderOptions) {
    this.#child = fork(CHILD, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.send(options);
  }

  /** Latencies and failures since the last call. */
  async report(): Promise<ReaderReport> {
    const answer = once(this.#child, 'message');
    this.#child.send('report');
    return (await answer)[0] as ReaderReport;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }
}
