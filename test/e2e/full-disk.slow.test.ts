/** A real file system without space: needs the right to mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';

const disk = mkdtempSync(join(tmpdir(), 'tonhouse-full-disk-'));
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
afterAll(() => {
  if (canMount) spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.runIf(canMount)('ends a start on a full disk, and its last line names the folder', async () => {
  // The file is cut off when the disk is full.
  expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(2 << 20))).toThrow('ENOSPC');
  const data = join(disk, 'data');
  const { code, stderr } = await runCli(['up', '--data', data, '--port', '0']);
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n').at(-1)).toContain(`no space left on ${data}: free space on its disk`);
});
