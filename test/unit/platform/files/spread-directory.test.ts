import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spreadDirectory } from '../../../../src/platform/files/spread-directory.ts';

it('sets the attribute where the file system has it, and else leaves the directory as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-spread-test-'));
  try {
    const isTaken = spawnSync('chattr', ['+T', folder]).status === 0;
    spawnSync('chattr', ['-T', folder]);
    spreadDirectory(folder);
    const { stdout } = spawnSync('lsattr', ['-d', folder], { encoding: 'utf8' });
    expect(/^\S*T/.test(stdout ?? '')).toBe(isTaken);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
