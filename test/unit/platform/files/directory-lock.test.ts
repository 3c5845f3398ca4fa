import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { isDirectoryLocked, takeDirectoryLock } from '../../../../src/platform/files/directory-lock.ts';

const directory = mkdtempSync(join(tmpdir(), 'tonhouse-lock-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Collects all memory that nothing refers to. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('a lock that its owner does not refer to lasts', async () => {
  expect(takeDirectoryLock(directory, 'forgotten')).not.toBeNull();
  await collect();
  expect(isDirectoryLocked(directory, 'forgotten')).toBe(true);
  expect(takeDirectoryLock(directory, 'forgotten')).toBeNull();
});

it('a released lock can be taken again', () => {
  takeDirectoryLock(directory, 'released')?.release();
  expect(isDirectoryLocked(directory, 'released')).toBe(false);
  const again = takeDirectoryLock(directory, 'released');
  expect(again).not.toBeNull();
  again?.release();
});
