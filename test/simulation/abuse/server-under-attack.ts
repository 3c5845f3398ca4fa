import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readServerState } from '../../../src/platform/clickhouse/embedded/server-state.ts';
import { type StageExit, StageProcess } from '../common/stage-process.ts';

const START_MS = 120_000;
const POLL_INTERVAL_MS = 50;

/** `tonhouse up` on a local chain with traffic, in a process of its own that dies with this one. */
export class ServerUnderAttack {
  readonly directory: string;
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly #process: StageProcess;
  readonly #log: string;
  readonly #seed: string;

  private constructor(directory: string, seed: string, port: number, process: StageProcess, log: string) {
    this.directory = directory;
    this.#seed = seed;
    this.port = port;
    this.#process = process;
    this.#log = log;
  }

  /** Resolves when it listens. `directory` holds its data directory and its log. */
  static async start(directory: string, seed: string): Promise<ServerUnderAttack> {
    mkdirSync(directory, { recursive: true });
    const data = join(directory, 'data');
    const log = join(directory, `server-${Date.now()}.log`);
    const process = startUp(data, seed, log);
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline && !process.gone) {
      const port = portIn(log);
      if (port !== null) return new ServerUnderAttack(data, seed, port, process, log);
      await sleep(POLL_INTERVAL_MS);
    }
    process.signal('SIGKILL');
    throw new Error(`the server did not start: ${process.words}`);
  }

  get url(): string {
    return `http://${this.host}:${this.port}`;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get gone(): boolean {
    return this.#process.gone;
  }

  /** Its last words. */
  get words(): string {
    return this.#process.words;
  }

  get exited(): Promise<StageExit> {
    return this.#process.exited;
  }

  /** Address, process and password of its embedded store; null while there is none. */
  get store() {
    return readServerState(join(this.directory, 'clickhouse'));
  }

  get storePid(): number | null {
    return this.store?.pid ?? null;
  }

  /** Bytes that it has logged so far. */
  get logBytes(): number {
    return statSync(this.#log).size;
  }

  /** The same command once more, at the same time. */
  startSecond(): StageProcess {
    return startUp(this.directory, this.#seed, join(this.directory, '../second.log'));
  }

  /** A further server over its index, with settings of its own, for as long as an attack lasts. */
  async startServing(settings: readonly string[]): Promise<BesideServer> {
    const log = join(this.directory, `../beside-${Date.now()}.log`);
    const args = ['serve', '--data', this.directory, '--port', '0', '--log-format', 'json', ...settings];
    const process = new StageProcess(args, {}, log);
    const end = async () => {
      process.signal('SIGTERM');
      await process.exited;
    };
    for (
      const deadline = Date.now() + START_MS;
      Date.now() < deadline && !process.gone;
      await sleep(POLL_INTERVAL_MS)
    ) {
      const port = portIn(log);
      if (port !== null) return { port, pid: process.pid, end };
    }
    process.signal('SIGKILL');
    throw new Error(`the server beside did not start: ${process.words}`);
  }

  /** Runs `tonhouse ARGS --data …` to its end. */
  async runCommand(
    args: readonly string[],
  ): Promise<{ readonly stdout: string; readonly code: number | null }> {
    const log = join(this.directory, '../command.log');
    const process = new StageProcess([...args, '--data', this.directory], {}, log);
    const { code } = await process.exited;
    return { stdout: process.stdout, code };
  }

  signal(signal: NodeJS.Signals): boolean {
    return this.#process.signal(signal);
  }

  async end(): Promise<void> {
    this.signal('SIGKILL');
    await this.exited;
  }
}

/** A second server next to the one under attack. */
export interface BesideServer {
  readonly port: number;
  readonly pid: number;
  end(): Promise<void>;
}

function startUp(data: string, seed: string, log: string): StageProcess {
  const chain = ['--localnet-seed', seed, '--traffic', '5'];
  // A loaded machine is no attack.
  const limits = ['--clickhouse-memory-mb', '2048', '--query-timeout-ms', '10000'];
  // On loopback, where all clients are this machine's, it is off by default.
  const idle = ['--idle-connections', '200'];
  // An unresponsive store is noticed sooner than by default, so that many attacks fit into minutes.
  const watch = ['--clickhouse-unresponsive-ms', '8000'];
  const args = [
    'up',
    '--data',
    data,
    '--port',
    '0',
    '--log-format',
    'json',
    ...chain,
    ...limits,
    ...idle,
    ...watch,
    '--deliver-hooks',
  ];
  return new StageProcess(args, {}, log);
}

function portIn(log: string): number | null {
  try {
    const [, port] =
      /"url":"http:\/\/127\.0\.0\.1:(\d+)"[^\n]*"serving"/.exec(readFileSync(log, 'utf8')) ?? [];
    return port === undefined ? null : Number(port);
  } catch {
    // Nothing was logged yet.
    return null;
  }
}
