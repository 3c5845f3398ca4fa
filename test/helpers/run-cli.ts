import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../bin/tonhouse', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `tonhouse …`; the caller stops it. */
export function startCli(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(CLI, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text.stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text.stderr += part;
  });
  const ended = once(child, 'close').then(([code]): CliRun => ({ code: code as number | null, ...text }));
  return { child, text, ended };
}

/** Runs `tonhouse …` to its end. */
export function runCli(args: readonly string[], environment?: Record<string, string>): Promise<CliRun> {
  return startCli(args, environment).ended;
}
