import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../common/bench-error.ts';

/** The API in a process of its own, as `tonhouse serve` runs it. */
export interface ApiProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Starts `serve` on a free port of a data directory whose store is running; throws `BenchError` where it ends early. */
export async function startApi(data: string, settings: readonly string[]): Promise<ApiProcess> {
  const options = ['serve', '--data', data, '--port', '0', '--log-format', 'json', ...settings];
  // As bin/tonhouse and npm start run it.
  const child = spawn(process.execPath, ['--max-semi-space-size=64', MAIN, ...options], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface(child.stderr)) {
    const url = answeringAt(line);
    if (!url) {
      process.stderr.write(`api: ${line}\n`);
      continue;
    }
    child.stderr.resume();
    return { url, pid: child.pid ?? 0, stop };
  }
  throw new BenchError(`the API ended with code ${child.exitCode ?? child.signalCode}`);
}

function answeringAt(line: string): string | null {
  if (!line.startsWith('{')) return null;
  const { url } = JSON.parse(line) as { url?: string };
  return url ?? null;
}
