/** A start whose clock is behind that of the process before it, which was killed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');
const LIMIT = { timeout: 120_000, interval: 100 };
const hasFaketime = spawnSync('faketime', ['-f', '-1h', 'true']).status === 0;

/** Starts `tonhouse capture localnet`, whose lease would last longer than the test. */
function capture(data: string, ...under: string[]) {
  const [program = '', ...args] = [...under, 'bin/tonhouse', 'capture', 'localnet', '--data', data];
  const settings = ['--block-ms', '200', '--session-ms', '600000'];
  const child = spawn(program, [...args, ...settings], {
    cwd: PROJECT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return { kill, captures: () => vi.waitFor(() => expect(text).toMatch(/captured blocks: [1-9]/), LIMIT) };
}

it.skipIf(!hasFaketime)(
  'starts immediately with a clock one hour before that of a killed process',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'tonhouse-clock-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const first = capture(data);
    await first.captures();
    await first.kill();
    await capture(data, 'faketime', '-f', '-1h').captures();
  },
  300_000,
);
