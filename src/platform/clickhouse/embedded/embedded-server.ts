import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from '../../config/child-environment.ts';
import { ensurePrivateDirectory } from '../../files/private-directory.ts';
import { spreadDirectory } from '../../files/spread-directory.ts';
import { pollFor } from '../../retry/poll.ts';
import { prepareColdPlace } from './cold-folder.ts';
import type { ColdPlace } from './cold-place.ts';
import { StoreInUseError, StoreStartError } from './embedded-errors.ts';
import { replaceServerConfig } from './server-config.ts';
import { LOCKED_EXIT_CODE, PLACE_DESCRIPTOR, STOP_QUERY } from './server-constants.ts';
import { answers, runStatement } from './server-http.ts';
import { findRunningServer, type RunningServer, readServerState } from './server-state.ts';

export interface EmbeddedServerOptions {
  /** The store's directory: data, configuration, logs and the lock. Created where missing. */
  readonly directory: string;
  /** Memory of the whole server. Default: 60 % of the machine's (or container's) memory. */
  readonly memoryLimitBytes?: number;
  /** Database that analysts read. Default `ton`. */
  readonly lakeDatabase?: string;
  /** Place of the cold volume. Default: none. */
  readonly cold?: ColdPlace | undefined;
  /** Time limit of opening, ms. Default 120,000. */
  readonly startTimeoutMs?: number;
  readonly log?: (message: string) => void;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface EmbeddedServer extends RunningServer {
  /** Graceful stop; the process is gone when it resolves. A second call waits for the first. */
  stop(): Promise<void>;
  /** Resolves when the process has ended, by `stop` or otherwise. */
  readonly exited: Promise<ServerExit>;
}

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const STDERR_TAIL = 8_192;
const POLL_MS = 20;
/** The port is chosen before the engine opens it: if another program took it meanwhile, a retry finds another. */
const START_ATTEMPTS = 3;
/** Longer than an orderly end takes. One that is killed is recovered as after a crash, and loses nothing: supervisors do not wait for ever either. */
const GRACEFUL_STOP_MS = 10_000;
const TERMINATE_MS = 2_000;

function defaultMemoryLimit(): number {
  const constrained = process.constrainedMemory();
  const machine = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return Math.floor(machine * 0.6);
}

interface Child {
  readonly process: ChildProcess;
  readonly exited: Promise<ServerExit>;
  stderr(): string;
}

/** A process group of its own: Ctrl-C stops the owner, which then stops the server after its last write. */
function spawnServer(directory: string, args: readonly string[], cold: ColdPlace | undefined): Child {
  const child = spawn(process.execPath, [SCRIPT, directory, ...args], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    detached: true,
    // A statement could find it in /proc/self.
    env: bareEnvironment(),
    cwd: directory,
  });
  let tail = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-STDERR_TAIL);
  });
  // A broken pipe means that the child has ended; `exited` reports it.
  child.stdin?.on('error', () => {});
  const place = child.stdio[PLACE_DESCRIPTOR] as Writable;
  place.on('error', () => {});
  place.end(cold ? JSON.stringify(cold) : '');
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }) as ServerExit);
  return { process: child, exited, stderr: () => tail };
}

type Start = { kind: 'ready'; state: RunningServer } | { kind: 'ended'; exit: ServerExit } | { kind: 'late' };

async function waitUntilReady(child: Child, directory: string, timeoutMs: number): Promise<Start> {
  let ended: ServerExit | null = null;
  child.exited.then((exit) => {
    ended = exit;
  });
  const read = async (): Promise<Start | null> => {
    if (ended) return { kind: 'ended', exit: ended };
    const state = readServerState(directory);
    const isReady = state !== null && state.pid === child.process.pid && (await answers(state));
    return isReady ? { kind: 'ready', state } : null;
  };
  const start = await pollFor(read, timeoutMs, { everyMs: POLL_MS });
  if (start) return start;
  child.process.kill('SIGKILL');
  await child.exited;
  return { kind: 'late' };
}

async function stopServer(child: Child, state: RunningServer): Promise<void> {
  const ended = (ms: number) =>
    Promise.race([child.exited.then(() => true), sleep(ms, false, { ref: false })]);
  try {
    await runStatement(state, STOP_QUERY, 5_000);
    if (await ended(GRACEFUL_STOP_MS)) return;
  } catch {
    // It does not answer: the signals below end it, and the engine recovers as after a crash.
  }
  child.process.kill('SIGTERM');
  if (await ended(TERMINATE_MS)) return;
  child.process.kill('SIGKILL');
  await child.exited;
}

function running(child: Child, state: RunningServer, log: (message: string) => void): EmbeddedServer {
  let stopping: Promise<void> | null = null;
  child.exited.then(({ code, signal }) => {
    if (!stopping) log(`embedded ClickHouse server ${state.pid} ended: code ${code}, signal ${signal}`);
  });
  return {
    ...state,
    exited: child.exited,
    stop: () => {
      stopping ??= stopServer(child, state);
      return stopping;
    },
  };
}

/** Each table has a folder there: a store makes and deletes files all the time, and one table's are no neighbours of another's. */
function spreadTables(directory: string): void {
  const tables = join(directory, 'data', 'store');
  ensurePrivateDirectory(tables);
  spreadDirectory(tables);
}

/**
 * Starts a ClickHouse server on `directory` as a child process that ends with this one, and resolves when it answers.
 * Throws `StoreInUseError` if another process holds the directory, `StoreStartError` if it does not start, and
 * `ColdPlaceError` if old parts are in a place that is not given.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const directory = resolve(options.directory);
  const memory = Math.floor(options.memoryLimitBytes ?? defaultMemoryLimit());
  const log = options.log ?? (() => {});
  const timeoutMs = options.startTimeoutMs ?? 120_000;
  ensurePrivateDirectory(directory);
  prepareColdPlace(directory, options.cold);
  spreadTables(directory);
  const args = [String(memory), options.lakeDatabase ?? 'ton'];
  for (let attempt = 1; ; attempt++) {
    const begun = performance.now();
    const child = spawnServer(directory, args, options.cold);
    const start = await waitUntilReady(child, directory, timeoutMs);
    if (start.kind === 'ready') {
      replaceServerConfig(directory);
      log(
        `embedded ClickHouse server ${start.state.pid} at ${start.state.url}, ${Math.round(performance.now() - begun)} ms`,
      );
      return running(child, start.state, log);
    }
    if (start.kind === 'late')
      throw new StoreStartError(directory, `no answer in ${timeoutMs} ms`, child.stderr());
    if (start.exit.code === LOCKED_EXIT_CODE)
      throw new StoreInUseError(directory, findRunningServer(directory));
    const reason = `ended with code ${start.exit.code}, signal ${start.exit.signal}`;
    if (attempt === START_ATTEMPTS) throw new StoreStartError(directory, reason, child.stderr());
    log(`embedded ClickHouse server: attempt ${attempt} ${reason}`);
  }
}
