import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type RunningServer,
  readServerState,
} from '../../../src/platform/clickhouse/embedded/server-state.ts';

export interface IndexExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const PRELOAD = new URL('../common/die-with-runner.ts', import.meta.url).href;
const POLL_INTERVAL_MS = 10;
const TAIL = 4_000;

/** Stopped processes notice nothing, and so would outlive a run that ends meanwhile. */
const frozen = new Set<number>();
process.on('exit', () => {
  for (const pid of frozen) kill(pid, 'SIGKILL');
});

/** False if the process no longer exists. */
function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether every thread of a process is stopped, or the process is gone. */
function isStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((task) =>
      /^State:\s+[TtZX]/m.test(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')),
    );
  } catch {
    return !existsSync(`/proc/${pid}`);
  }
}

/** One `tonhouse index` or `tonhouse up` over a data directory, and what can be done to it. */
export class IndexProcess {
  readonly exited: Promise<IndexExit>;
  readonly startedAt = Date.now();
  /** When it last said that blocks were indexed (or started). */
  progressAt = Date.now();
  readonly #child: ChildProcess;
  readonly #directory: string;
  #tail = '';
  #answer = '';
  #gone = false;
  #stopped: number[] = [];

  /** `words`: the command and its source. `log`: all output of the process is appended to this file. */
  constructor(
    words: readonly string[],
    directory: string,
    flags: readonly string[],
    log: string,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#directory = directory;
    const script = join(PROJECT, 'src/main.ts');
    this.#child = spawn(
      process.execPath,
      ['--import', PRELOAD, script, ...words, '--data', directory, ...flags],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        cwd: PROJECT,
        env: { ...process.env, ...environment },
      },
    );
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#answer += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('indexed blocks:')) this.progressAt = Date.now();
      this.#tail = (this.#tail + text).slice(-TAIL);
      appendFileSync(log, text);
    });
    // 'close': everything that it said has arrived.
    this.exited = once(this.#child, 'close').then(([code, signal]) => {
      this.#gone = true;
      return { code, signal } as IndexExit;
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** The last words on stderr. */
  get words(): string {
    return this.#tail.trim();
  }

  /** The summary that it printed. */
  get answer(): string {
    return this.#answer.trim();
  }

  signal(signal: NodeJS.Signals): boolean {
    return !this.#gone && this.#child.kill(signal);
  }

  /** Kills only its ClickHouse server; false if this process started none. */
  killStore(): boolean {
    const pid = this.#storePid();
    // It may have ended already while its successor has not written its state.
    return pid !== null && kill(pid, 'SIGKILL');
  }

  /** Freezes it and its store; resolves when no thread of theirs runs any more. */
  async freeze(): Promise<void> {
    const pids = [this.#child.pid, this.#storePid()].filter((pid) => typeof pid === 'number');
    this.#stopped = this.#gone ? [] : pids;
    for (const pid of this.#stopped) {
      frozen.add(pid);
      kill(pid, 'SIGSTOP');
    }
    while (!this.#gone && !pids.every(isStopped)) await sleep(POLL_INTERVAL_MS);
  }

  /** Lets it and its store go on. */
  thaw(): void {
    for (const pid of this.#stopped.splice(0)) {
      kill(pid, 'SIGCONT');
      frozen.delete(pid);
    }
  }

  /** How to reach the store of this process; null if it has none now. */
  get store(): RunningServer | null {
    const state = readServerState(join(this.#directory, 'clickhouse'));
    return state && !this.#gone && state.ownerPid === this.#child.pid ? state : null;
  }

  /** Resolves when this process has a store of its own, or is gone. */
  async storeUp(): Promise<void> {
    while (!this.#gone && this.#storePid() === null) await sleep(POLL_INTERVAL_MS);
  }

  #storePid(): number | null {
    return this.store?.pid ?? null;
  }

  /** Ends it, whatever it does, and waits. */
  async end(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }
}
