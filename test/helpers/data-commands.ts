import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestServer } from './clickhouse-server.ts';
import { type RunningMain, startMain } from './run-main.ts';

type Environment = Readonly<Record<string, string>>;

/** Commands of the product on one data directory. Each is a process of its own; only errors are logged. */
export interface DataCommands {
  start(...args: readonly string[]): RunningMain;
  /** Runs a command to its end. */
  run(...args: readonly string[]): Promise<CommandEnd>;
  /** The JSON that a command prints with `--json`. It must end with 0. */
  answer(...args: readonly string[]): Promise<ReturnType<typeof JSON.parse>>;
  /** Starts a server. While it runs, other commands use its store, and start none. */
  serve(...args: readonly string[]): Promise<Serving>;
  /** The result of `ask` from a server that runs meanwhile. */
  served<T>(args: readonly string[], ask: (url: string) => Promise<T>): Promise<T>;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server that listens. Before the first block it answers with 503. */
export interface Serving {
  readonly url: string;
  stop(): Promise<void>;
}

/** `directory` and `environment` are called at each start. */
export function dataCommands(
  directory: () => string,
  environment: () => Environment = () => ({}),
): DataCommands {
  const start: DataCommands['start'] = (...args) =>
    startMain([...args, '--data', directory()], { TONHOUSE_LOG_LEVEL: 'error', ...environment() });
  const run: DataCommands['run'] = async (...args) => {
    const running = start(...args);
    const code = await running.ended;
    return { code, ...running.text };
  };
  const answer: DataCommands['answer'] = async (...args) => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr + stdout).toBe(0);
    return JSON.parse(stdout);
  };
  const serve: DataCommands['serve'] = async (...args) => {
    const serving = start(
      ...['serve', '--port', '0', '--log-format', 'json', '--log-level', 'info'],
      ...['--query-timeout-ms', '60000', ...args],
    );
    const url = await listening(serving);
    const stop = async () => {
      serving.child.kill('SIGTERM');
      await serving.ended;
    };
    return { url, stop };
  };
  const served: DataCommands['served'] = async (args, ask) => {
    const { url, stop } = await serve(...args);
    return ask(url).finally(stop);
  };
  return { start, run, answer, serve, served };
}

/** Settings of commands whose store is a server of the test. */
export function storeEnvironment({ url, connection, server }: TestServer): Environment {
  return {
    TONHOUSE_CLICKHOUSE_URL: url,
    TONHOUSE_CLICKHOUSE_USER: String(connection.user),
    TONHOUSE_CLICKHOUSE_PASSWORD: String(connection.password),
    TONHOUSE_CLICKHOUSE_READ_PASSWORD: server.readPassword,
  };
}

async function listening({ child, text }: RunningMain): Promise<string> {
  for (;;) {
    const url = /"url":"(http:[^"]+)"/.exec(text.stdout + text.stderr)?.[1];
    if (url) return url;
    if (child.exitCode !== null) throw new Error(text.stderr);
    await setTimeout(50);
  }
}
