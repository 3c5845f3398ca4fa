import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A Redis that the test owns, and may treat badly. Its port outlives `kill`. */
export interface OwnedRedis {
  /** With the password. */
  readonly url: string;
  /** Ends it at once (kill -9); resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on its port; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it from running (SIGSTOP): connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export const REDIS_PASSWORD = 'se-cret-of-redis';
const GUARD = join(import.meta.dirname, 'kafka-guard.ts');
const START_MS = 60_000;
/** A port is chosen before the server opens it: if it was taken meanwhile, a retry finds another. */
const START_ATTEMPTS = 3;

/** The program of a Redis-compatible server; null if this machine has none. */
export function redisProgram(): string | null {
  const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return ['redis-server', 'valkey-server'].find(has) ?? null;
}

/** Starts a server that keeps nothing, on a free port of the loopback. */
export async function startOwnRedis(program: string): Promise<OwnedRedis> {
  for (let attempt = 1; ; attempt++) {
    const redis = new RedisProcess(program, await freePort());
    try {
      await redis.start();
      return redis;
    } catch (error) {
      await redis.stop();
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

class RedisProcess implements OwnedRedis {
  readonly url: string;
  readonly #command: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'tonhouse-redis-'));
  #guard: ChildProcess | null = null;
  #pid = 0;

  constructor(program: string, port: number) {
    this.url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}`;
    const memory = ['--save', '', '--appendonly', 'no', '--dir', this.#folder, '--logfile', 'log'];
    const access = ['--port', `${port}`, '--bind', '127.0.0.1', '--requirepass', REDIS_PASSWORD];
    this.#command = [program, ...access, ...memory];
  }

  async start(): Promise<void> {
    const guard = spawn(process.execPath, [GUARD, ...this.#command], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#guard = guard;
    guard.stdin?.on('error', () => {});
    guard.stdout?.setEncoding('utf8').once('data', (line: string) => {
      this.#pid = Number(line);
    });
    const deadline = Date.now() + START_MS;
    while (!(await answers(this.url))) {
      if (guard.exitCode !== null) throw new Error(`the server ended with ${guard.exitCode}`);
      if (Date.now() > deadline) throw new Error(`the server did not answer in ${START_MS} ms`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    const guard = this.#guard;
    if (!guard || guard.exitCode !== null) return;
    const gone = once(guard, 'exit');
    guard.stdin?.end();
    await gone;
  }

  pause(): void {
    process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
    return (await redis.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
