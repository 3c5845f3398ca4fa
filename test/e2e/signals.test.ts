/** Signals to a running command, and how it was started. `capture localnet` is the command that opens the least. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const LIMIT = { timeout: 120_000, interval: 100 };

interface Command {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** Resolves when the log has a line. */
  logs(line: RegExp): Promise<void>;
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-signals-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a command line as a process group. */
function start(program: string, ...args: string[]): Command {
  // What a test runs under must not decide.
  const { _, TONHOUSE_IGNORE_HANGUP, npm_lifecycle_event, ...env } = process.env;
  const child = spawn(program, args, {
    cwd: PROJECT,
    detached: true,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const exited = once(child, 'exit').then(([code, signal]) => [code, signal] as const);
  onTestFinished(() => {
    for (const pid of membersOf(child.pid as number)) process.kill(pid, 'SIGKILL');
  });
  const logs = (line: RegExp) => vi.waitFor(() => expect(text).toMatch(line), LIMIT);
  return { child, stderr: () => text, exited, logs };
}

/** Living processes of a group, by Linux's process table. */
function membersOf(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, , member] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state !== 'Z' && Number(member) === group;
      } catch {
        return false;
      }
    })
    .map(Number);
}

const capture = (directory: string) =>
  ['capture', 'localnet', '--data', directory, '--block-ms', '200', '--session-ms', '60000'] as const;

describe.skipIf(process.platform !== 'linux')('a running command', () => {
  it('stops in order when its terminal is closed', async () => {
    const command = start('bin/tonhouse', ...capture(newDirectory()));
    await command.logs(/ capturing /);
    process.kill(-(command.child.pid as number), 'SIGHUP');
    expect(await command.exited).toEqual([0, null]);
    expect(command.stderr()).toContain(
      'stopping; a second signal ends the process immediately signal=SIGHUP',
    );
  }, 300_000);

  const ways: readonly (readonly [string, string, ...string[]])[] = [
    ['nohup', 'nohup', 'bin/tonhouse'],
    ['a shell that ignores SIGHUP', 'sh', '-c', 'trap "" HUP; exec bin/tonhouse "$@"', 'sh'],
    // Bash names in `_` what it starts.
    ['nohup and npm from bash', 'bash', '-c', 'nohup npm run -s tonhouse -- "$@"; true', 'bash'],
    [
      'a shell that ignores SIGHUP, and npm',
      'sh',
      '-c',
      'trap "" HUP; npm run -s tonhouse -- "$@"; true',
      'sh',
    ],
  ];
  it.each(ways)(
    'survives its terminal: started by %s',
    async (_way, program, ...args) => {
      const command = start(program, ...args, ...capture(newDirectory()));
      const group = command.child.pid as number;
      await command.logs(/ capturing /);
      process.kill(-group, 'SIGHUP');
      // Blocks that come after the signal.
      const before = command.stderr().length;
      await vi.waitFor(() => expect(command.stderr().slice(before)).toMatch(/captured blocks/), LIMIT);
      expect(command.stderr()).not.toContain('stopping');
      for (const pid of membersOf(group)) process.kill(pid, 'SIGTERM');
      await vi.waitFor(() => expect(membersOf(group)).toEqual([]), LIMIT);
      // The last lines of a process that has ended may still be in the pipe.
      await vi.waitFor(() => expect(command.stderr()).toContain('signal=SIGTERM'), LIMIT);
    },
    300_000,
  );
});
