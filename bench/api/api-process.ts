import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { BenchError } from '../common/bench-error.ts';
import { productArguments, productEnvironment } from '../common/product-arguments.ts';

/** The API in a process of its own, as `tonhouse serve` runs it. */
export interface ApiProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts `serve` on a free port of a data directory whose store is running; throws `BenchError` if it ends early. */
export async function startApi(data: string, settings: readonly string[]): Promise<ApiProcess> {
  const options = ['serve', '--data', data, '--port', '0', '--log-format', 'json', ...settings];
  const child = spawn(process.execPath, productArguments(options), {
    env: productEnvironment(),
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const stderr = child.stderr as Readable;
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface(stderr)) {
    const url = answeringAt(line);
    if (!url) {
      process.stderr.write(`api: ${line}\n`);
      continue;
    }
    stderr.resume();
    return { url, pid: child.pid ?? 0, stop };
  }
  throw new BenchError(`the API ended with code ${child.exitCode ?? child.signalCode}`);
}

function answeringAt(line: string): string | null {
  if (!line.startsWith('{')) return null;
  const { url } = JSON.parse(line) as { url?: string };
  return url ?? null;
}
