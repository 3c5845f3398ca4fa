import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Events of npm in which it runs the program: scripts of package.json, and `npx tonhouse`. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'tonhouse', 'npx'];
/** npm starts a shell, which starts the program: no longer chain of launchers exists. */
const MAX_LAUNCHERS = 4;

/** True if this process belongs to npm, which only waits for it. Others may leave it running when they end, as a shell does. */
export function isLaunched(environment: Environment = process.env): boolean {
  const { npm_package_name: name, npm_lifecycle_event: script } = environment;
  return name === 'tonhouse' && SCRIPTS.includes(script);
}

/** True if the process stops when its standard input ends: a test's chain ends with the test, however that ends. */
export const stopsWithInput = (environment: Environment = process.env): boolean =>
  environment.TONHOUSE_STOP_WITH_INPUT === '1';

/**
 * True if the process was started with SIGHUP ignored, as `nohup` does. Node resets ignored signals when it starts, and
 * npm is a Node too. So the evidence is from before: bin/tonhouse sets a variable, shells name the program that they
 * started in `_`, and the shell that started npm may itself ignore the signal (known on Linux). `nohup npm start` from a
 * shell that does not set `_`, such as dash, leaves no evidence.
 */
export function isHangupIgnored(environment: Environment = process.env): boolean {
  if (environment.TONHOUSE_IGNORE_HANGUP === '1' || isNohup(environment._)) return true;
  return environment.npm_lifecycle_event !== undefined && isIgnoredByLauncher(process.ppid);
}

const isNohup = (command: string | undefined): boolean =>
  command !== undefined && basename(command) === 'nohup';

/** Goes up from a process that npm started to npm, and looks at how npm was started. */
function isIgnoredByLauncher(parent: number): boolean {
  let pid = parent;
  for (let level = 0; level < MAX_LAUNCHERS; level++) {
    const variables = readProcess(pid, 'environ').split('\0');
    if (isNohup(variables.find((one) => one.startsWith('_='))?.slice(2))) return true;
    const status = readProcess(pid, 'status');
    if (/^SigIgn:.*[13579bdf]$/m.test(status)) return true;
    const isNpm = !variables.some((one) => one.startsWith('npm_lifecycle_event='));
    pid = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1] ?? 0);
    if (isNpm) return /^SigIgn:.*[13579bdf]$/m.test(readProcess(pid, 'status'));
  }
  return false;
}

/** A file of Linux's process table; '' if it cannot be read. */
function readProcess(pid: number, file: 'environ' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Replaces this process by a new one with the same id, environment, input and output, and the same command line with more
 * flags. Nothing is closed before.
 */
export function restartProcess(flags: readonly string[]): never {
  const [node, ...args] = process.argv;
  return process.execve!(node!, [node!, ...process.execArgv, ...args, ...flags], process.env);
}
