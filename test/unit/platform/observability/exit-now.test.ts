import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFifo } from '../../../helpers/special-files.ts';

/** Module of src/ as an address. */
const moduleAt = (path: string) => new URL(`../../../../src/${path}`, import.meta.url).href;

/** Runs a script in which a thread opens a FIFO without a writer, as one waits for a file system that does not answer. */
function runStuck(script: (fifo: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-stuck-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  makeFifo(join(folder, 'fifo'));
  const source = script(JSON.stringify(join(folder, 'fifo')));
  return spawnSync(process.execPath, ['--input-type=module', '--eval', source], { encoding: 'utf8' });
}

it.skipIf(process.platform === 'win32')('a program ends although a read hangs, with its exit code', () => {
  const { status, stderr } = runStuck(
    (fifo) => `
      import { open } from 'node:fs';
      import { exitIfStuck } from '${moduleAt('platform/observability/exit-now.ts')}';
      open(${fifo}, 'r', () => {});
      process.exitCode = 3;
      exitIfStuck();`,
  );
  expect([status, stderr]).toEqual([3, '']);
});

it.skipIf(process.platform === 'win32')('a stop signal ends a command whose read hangs', () => {
  const { status, stderr } = runStuck(
    (fifo) => `
      import { open } from 'node:fs/promises';
      import { runSession } from '${moduleAt('cli/session.ts')}';
      import { StoppedError } from '${moduleAt('cli/stopped-error.ts')}';
      import { untilAborted } from '${moduleAt('platform/files/until-aborted.ts')}';
      import { exitIfStuck } from '${moduleAt('platform/observability/exit-now.ts')}';
      setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);
      await runSession({}, ({ signal }) => untilAborted(open(${fifo}, 'r'), signal)).catch((error) => {
        process.exitCode = error instanceof StoppedError ? 5 : 6;
      });
      exitIfStuck();`,
  );
  expect([status, stderr]).toEqual([5, expect.stringContaining('stopping')]);
});

it.skipIf(process.platform === 'win32')('a second stop signal ends a process whose read hangs', () => {
  const { status } = runStuck(
    (fifo) => `
      import { open } from 'node:fs';
      import { runSession } from '${moduleAt('cli/session.ts')}';
      open(${fifo}, 'r', () => {});
      // A signal within a second after the first counts as the same one.
      setInterval(() => process.kill(process.pid, 'SIGTERM'), 1_200);
      await runSession({}, () => new Promise(() => {}));`,
  );
  expect(status).toBe(130);
});
