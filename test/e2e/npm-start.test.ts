import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const LIMIT_MS = 600_000;
/** The store stops within a few seconds; a machine under load takes longer. */
const END_MS = 60_000;

/** Processes below one, by Linux's process table. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? null : Number(parent);
  } catch {
    return null;
  }
}

const isAlive = (pid: number): boolean => parentOf(pid) !== null;

async function until(holds: () => boolean, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(100)) if (holds()) return true;
  return holds();
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  const left: number[] = [];
  afterEach(() => {
    for (const pid of left.splice(0).filter(isAlive)) process.kill(pid, 'SIGKILL');
  });

  async function start() {
    const data = mkdtempSync(join(tmpdir(), 'tonhouse-npm-start-'));
    const args = ['start', '--', '--data', data, '--port', '0', '--block-ms', '200'];
    // A group of its own, as a terminal gives it.
    const npm = spawn('npm', args, { cwd: PROJECT, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(npm, 'exit');
    let text = '';
    npm.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const pid = npm.pid as number;
    left.push(pid);
    expect(await until(() => /answering/.test(text), LIMIT_MS), text).toBe(true);
    // From this line on requests are answered.
    const v3 = /answering .*v3=(http:\S+)\/index\.html/.exec(text)?.[1];
    const answer = await fetch(`${v3}/masterchainInfo`);
    expect(answer.status, await answer.text()).toBe(200);
    const below = descendants(pid);
    left.push(...below);
    // The program and the server of its store at least.
    expect(below.length).toBeGreaterThanOrEqual(2);
    return { pid, below, exited, log: () => text };
  }

  const ends: readonly (readonly [string, NodeJS.Signals, 'npm' | 'group', RegExp])[] = [
    ['SIGTERM to npm, as a supervisor sends it', 'SIGTERM', 'npm', /stopping; a second signal/],
    [
      'SIGINT to npm and all below it, as a terminal sends it',
      'SIGINT',
      'group',
      /stopping; a second signal/,
    ],
    ['SIGKILL to npm', 'SIGKILL', 'npm', /the parent process has ended/],
  ];
  it.each(ends)(
    'ends every process: %s',
    async (_name, signal, to, said) => {
      const { pid, below, exited, log } = await start();
      process.kill(to === 'group' ? -pid : pid, signal);
      await exited;
      expect(await until(() => !below.some(isAlive), END_MS), log()).toBe(true);
      expect(log()).toMatch(said);
      // In order: the store was asked to stop, nothing was cut off.
      expect(log()).not.toMatch(/could not be closed|the store ended/);
    },
    LIMIT_MS + END_MS,
  );
});
