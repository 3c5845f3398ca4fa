import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

// The package has no types of its own.
const { minVersion, satisfies } = createRequire(import.meta.url)('semver') as {
  minVersion(range: string): { readonly version: string } | null;
  satisfies(version: string, range: string): boolean;
};

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly engines?: { readonly node?: string; readonly npm?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(resolve(import.meta.dirname, '../../../package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };

/**
 * Optional packages of other platforms whose registry entries could not be read where the lock file was written. An entry
 * leaves this list once it has its hash; no package may join it.
 */
const UNHASHED = ['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu'];

// `npm ci` refuses a lock file that leaves one out, and an install from a registry that lacks a platform does so.
it('the lock file names the packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${owner}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

// Without its hash a package is installed whatever a registry sends.
it('every locked package has its hash, but for the named ones of other platforms', () => {
  const unhashed = Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    .map(([path]) => path.replace('node_modules/', ''));
  expect(unhashed).toEqual(UNHASHED);
});

// A host in the lock file would send every install there.
it('the lock file names no host to download from', () => {
  expect(text).not.toContain('"resolved"');
});

/** The npm that Node 20.19.0 brings, the oldest of the documented versions. */
const OLDEST_NPM = '10.8.2';

// npm prints EBADENGINE for a package that refuses the Node or the npm that installs it.
it('every locked package allows the documented versions of Node and their npm', () => {
  const documented = (packages['']?.engines?.node ?? '')
    .split('||')
    .map((range) => minVersion(range)?.version);
  expect(documented).toEqual(['20.19.0', '22.13.0', '24.0.0']);
  const refusing = Object.entries(packages).flatMap(
    ([path, { version, engines: { node = '*', npm = '*' } = {} }]) => [
      ...documented
        .filter((at) => !satisfies(at ?? '', node))
        .map((at) => `${path} ${version} refuses Node ${at}`),
      ...(satisfies(OLDEST_NPM, npm) ? [] : [`${path} ${version} refuses npm ${OLDEST_NPM}`]),
    ],
  );
  expect(refusing).toEqual([]);
});

// A production install has no compiler, and an operator may refuse all scripts: `npm ci --omit=dev --ignore-scripts`.
it('an install runs no script of this package', () => {
  const manifest = readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };
  const run = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(run.filter((name) => name in scripts)).toEqual([]);
});
