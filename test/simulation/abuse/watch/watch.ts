import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { residentMegabytes } from '../../common/resident-memory.ts';
import type { Route } from '../http-call.ts';
import type { ServerUnderAttack } from '../server-under-attack.ts';
import type { HonestReport } from './honest-client.ts';

/** Observations of the server between two looks. */
export interface Observation {
  readonly honest: HonestReport;
  readonly stallMs: number;
  /** Highest resident memory of the server's process, MB. */
  readonly serverMb: number;
  /** Highest resident memory of its store, MB. */
  readonly storeMb: number;
}

const MEMORY_MS = 200;
const SCRIPT = fileURLToPath(new URL('./watch-process.ts', import.meta.url));
const DIE_WITH_RUNNER = new URL('../../common/die-with-runner.ts', import.meta.url).href;

/** Watches a server from outside while it is attacked: an honest client, a stall probe, the memory of its processes. */
export class Watch {
  readonly #process: ChildProcess;
  /** Rejects when the process ends: it would never answer. */
  readonly #gone: Promise<never>;
  readonly #timer: NodeJS.Timeout;
  readonly #server: ServerUnderAttack;
  #peaks = { serverMb: 0, storeMb: 0 };

  constructor(server: ServerUnderAttack, route: Route, seed: string) {
    this.#server = server;
    this.#process = fork(SCRIPT, [String(server.pid), seed, JSON.stringify(route)], {
      detached: true,
      execArgv: ['--import', DIE_WITH_RUNNER],
    });
    this.#gone = once(this.#process, 'exit').then(() => {
      throw new Error('the process of the honest client has ended');
    });
    this.#gone.catch(() => {});
    this.#timer = setInterval(() => this.#lookAtMemory(), MEMORY_MS);
  }

  /** Observations since the last call. */
  async take(): Promise<Observation> {
    this.#process.send('take');
    const said = once(this.#process, 'message');
    const [seen] = (await Promise.race([said, this.#gone])) as [Pick<Observation, 'honest' | 'stallMs'>];
    this.#lookAtMemory();
    const peaks = this.#peaks;
    this.#peaks = { serverMb: 0, storeMb: 0 };
    return { ...seen, ...peaks };
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  #lookAtMemory(): void {
    const { pid, storePid } = this.#server;
    this.#peaks = {
      serverMb: Math.max(this.#peaks.serverMb, residentMegabytes(pid) ?? 0),
      storeMb: Math.max(this.#peaks.storeMb, (storePid && residentMegabytes(storePid)) || 0),
    };
  }
}
