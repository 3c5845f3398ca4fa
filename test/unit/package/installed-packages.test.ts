import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findUnlicensed, folderMegabytes } from '../../package/installed-packages.ts';

it('finds packages without a license, also below others, and counts a file with two names once', () => {
  const modules = mkdtempSync(join(tmpdir(), 'tonhouse-modules-'));
  onTestFinished(() => rmSync(modules, { recursive: true, force: true }));
  const add = (path: string, manifest: object) => {
    mkdirSync(join(modules, path), { recursive: true });
    writeFileSync(join(modules, path, 'package.json'), JSON.stringify(manifest));
  };
  add('a', { name: 'a', license: 'MIT' });
  add('a/node_modules/b', { name: 'b' });
  add('@scope/c', { name: '@scope/c', licenses: [{ type: 'MIT' }] });
  writeFileSync(join(modules, 'a/large'), Buffer.alloc(12 << 20, 1));
  linkSync(join(modules, 'a/large'), join(modules, '@scope/c/large'));
  expect(findUnlicensed(modules)).toEqual(['b']);
  expect(folderMegabytes(modules)).toHaveLength(2);
  expect(folderMegabytes(modules)[0]).toBe('all 12 MB');
});
