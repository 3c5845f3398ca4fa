import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PRODUCT_BUFFERS, PRODUCT_HEAP } from './product-memory.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const PRELOADS = ['./die-with-runner.ts', './stop-before-insert.ts'].flatMap((file) => [
  '--import',
  new URL(file, import.meta.url).href,
]);
const TAIL = 4_000;
/** As a supervisor waits before it starts something again. */
const RESTART_MS = 200;

export interface StageExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One `tonhouse …` in a process of its own, which dies with this one. */
export class StageProcess {
  readonly exited: Promise<StageExit>;
  readonly #child: ChildProcess;
  #gone = false;
  #stdout = '';
  #tail = '';

  /** `log`: its output is appended to this file. */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>>, log: string) {
    const script = join(PROJECT, 'src/main.ts');
    this.#child = spawn(process.execPath, [PRODUCT_HEAP, ...PRELOADS, script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      cwd: PROJECT,
      // A session of its own, as a service has: systems that share processors by sessions do not take it for a part of the simulation.
      detached: true,
      env: { PATH: process.env.PATH, ...PRODUCT_BUFFERS, ...environment },
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#tail = (this.#tail + text).slice(-TAIL);
      appendFileSync(log, text);
    });
    this.exited = once(this.#child, 'close').then(([code, signal]) => {
      this.#gone = true;
      return { code, signal } as StageExit;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get gone(): boolean {
    return this.#gone;
  }

  get stdout(): string {
    return this.#stdout;
  }

  /** The last words on stderr. */
  get words(): string {
    return this.#tail.trim();
  }

  signal(signal: NodeJS.Signals): boolean {
    return !this.#gone && this.#child.kill(signal);
  }

  /** Sends the process a message; false if it is gone. */
  send(message: string): boolean {
    return this.#child.connected && this.#child.send(message);
  }

  /** True if it was stopped, by its own or another's signal. Linux only: elsewhere always false. */
  get isStopped(): boolean {
    if (this.#gone) return false;
    try {
      // pid (name) state …: the name may contain anything except a `)` after the last one.
      return /\) T/.test(readFileSync(`/proc/${this.pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  }
}

/** How a stage ended unexpectedly. */
export interface SelfEnd {
  readonly role: string;
  readonly code: number | null;
  readonly words: string;
}

/** Ends after which a stage is restarted. */
export type Restart = 'on failure' | 'after any end';

/**
 * A stage under a supervisor (compose: `restart: on-failure`): it is restarted until it is stopped, or by default until it
 * ends well.
 */
export class SupervisedStage {
  readonly role: string;
  readonly finished: Promise<void>;
  readonly #spawn: () => StageProcess;
  readonly #onSelfEnd: (end: SelfEnd) => void;
  readonly #restart: Restart;
  #process: StageProcess | null = null;
  #stopping = false;
  /** While this is set, it is not restarted. */
  #resume: PromiseWithResolvers<void> | null = null;
  #blamed = false;
  #isDone = false;

  constructor(
    role: string,
    start: () => StageProcess,
    onSelfEnd: (end: SelfEnd) => void,
    restart: Restart = 'on failure',
  ) {
    this.role = role;
    this.#spawn = start;
    this.#onSelfEnd = onSelfEnd;
    this.#restart = restart;
    this.finished = this.#keep();
  }

  /** It ended well, as a finite source lets a capture. */
  get isDone(): boolean {
    return this.#isDone;
  }

  get pid(): number | null {
    return this.#process && !this.#process.gone ? this.#process.pid : null;
  }

  get words(): string {
    return this.#process?.words ?? '';
  }

  /** False if it is not running. */
  signal(signal: NodeJS.Signals): boolean {
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#blamed = true;
    return this.#process?.signal(signal) ?? false;
  }

  send(message: string): boolean {
    return this.#process?.send(message) ?? false;
  }

  get isStopped(): boolean {
    return this.#process?.isStopped ?? false;
  }

  /** Kills it, and prevents a restart until `release`. */
  async hold(): Promise<void> {
    this.#resume ??= Promise.withResolvers<void>();
    const process = this.#process;
    if (this.signal('SIGKILL')) await process?.exited;
  }

  release(): void {
    this.#resume?.resolve();
    this.#resume = null;
  }

  /** It is not started again when it ends. */
  retire(): void {
    this.#stopping = true;
    this.release();
  }

  /** Ends it permanently; resolves to its exit, or to null if it had ended before. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<StageExit | null> {
    this.#stopping = true;
    this.release();
    const running = this.#process?.gone === false ? this.#process : null;
    this.signal('SIGCONT');
    this.signal(signal);
    await this.finished;
    return running?.exited ?? null;
  }

  async #keep(): Promise<void> {
    while (!this.#stopping && !this.#isDone) {
      this.#blamed = false;
      const process = this.#spawn();
      this.#process = process;
      const { code } = await process.exited;
      if (code === 0 && !this.#blamed) this.#isDone = this.#restart === 'on failure';
      else if (!this.#blamed && !this.#stopping)
        this.#onSelfEnd({ role: this.role, code, words: process.words });
      await this.#resume?.promise;
      if (!this.#stopping && !this.#isDone) await sleep(RESTART_MS);
    }
  }
}
