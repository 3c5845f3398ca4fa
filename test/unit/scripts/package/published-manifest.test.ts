import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Manifest, toPublishedManifest } from '../../../../scripts/package/published-manifest.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
const manifest = JSON.parse(text) as Manifest;

it('leaves out development packages, scripts, and packages whose dependencies have no license', () => {
  const published = toPublishedManifest(manifest, '0.8.3');
  const fields = ['private', 'scripts', 'devDependencies', 'imports', 'allowScripts'];
  expect(fields.filter((field) => field in published)).toEqual([]);
  expect(published.dependencies).not.toHaveProperty('@ton/sandbox');
  expect(published.dependencies).toMatchObject({ fflate: '0.8.3', chdb: manifest.dependencies.chdb });
});

it('makes Node optional, as the version of the clone for each platform', () => {
  const published = toPublishedManifest(manifest, '0.8.3');
  expect(published.dependencies).not.toHaveProperty('node');
  const versions = Object.values(published.optionalDependencies as Record<string, string>);
  expect(new Set(versions)).toEqual(new Set([manifest.dependencies.node]));
  expect(versions).toHaveLength(4);
});

it('refuses a package.json that has lost one of them', () => {
  expect(() => toPublishedManifest({ version: '1.0.0', dependencies: { node: '1.0.0' } }, '1.0.0')).toThrow(
    'expected node and @ton/sandbox',
  );
});
