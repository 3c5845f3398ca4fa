import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const DIE_WITH_RUNNER = new URL('../simulation/common/die-with-runner.ts', import.meta.url).href;

/**
 * A running `tonhouse …` without its launcher (bin/tonhouse), as in a container: leases contain the id of the started
 * process, and signals reach it. `main`: of another checkout. The caller stops it; it ends with this process, too.
 */
export function startMain(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  main = MAIN,
) {
  const child = spawn(process.execPath, ['--import', DIE_WITH_RUNNER, main, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (part: string) => {
      text[stream] += part;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, text, ended };
}

export type RunningMain = ReturnType<typeof startMain>;
