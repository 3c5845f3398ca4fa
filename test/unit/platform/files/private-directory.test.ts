import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ensurePrivateDirectory,
  writePrivateFile,
} from '../../../../src/platform/files/private-directory.ts';

let root: string;
let umask: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-private-'));
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

it('makes directories that only their owner may enter, under any umask', () => {
  const directory = join(root, 'a', 'b');
  expect(ensurePrivateDirectory(directory)).toBeNull();
  expect([modeOf(join(root, 'a')), modeOf(directory)]).toEqual(['700', '700']);
});

it('makes an existing directory of this user private', () => {
  const directory = join(root, 'open');
  mkdirSync(directory, { mode: 0o755 });
  expect(ensurePrivateDirectory(directory)).toBeNull();
  expect(modeOf(directory)).toBe('700');
});

it('leaves a directory that everybody shares by design, and says so', () => {
  const directory = join(root, 'shared');
  mkdirSync(directory);
  chmodSync(directory, 0o1777);
  expect(ensurePrivateDirectory(directory)).toEqual({ directory, mode: '1777', owner: process.getuid?.() });
  expect(modeOf(directory)).toBe('1777');
});

it('leaves a directory of another user, and says whose it is', () => {
  // Root's, unless root runs this: then there is no other user's directory to be had without making one.
  if (process.getuid?.() === 0) return;
  expect(ensurePrivateDirectory('/usr')).toMatchObject({ directory: '/usr', owner: 0 });
});

it('replaces a file that others could read by one that they cannot', () => {
  const file = join(root, 'secret.json');
  writeFileSync(file, 'old', { mode: 0o666 });
  writePrivateFile(file, 'new');
  expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual(['600', 'new']);
});
