import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverWithoutIndex } from '../../../scripts/layout/server-without-index.ts';
import { createProgram } from '../../../src/cli/program.ts';

const root = join(import.meta.dirname, '../../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { version, files, exports, bin } = json('package.json');

/** Paths of a value of package.json, however deep its conditions are. */
const paths = (value: string | object): string[] =>
  typeof value === 'string' ? [value] : Object.values(value).flatMap(paths);

describe('the version', () => {
  it('is the same in package.json, its lock, --version, the changelog and every OpenAPI document', async () => {
    const lock = json('package-lock.json');
    const program = await createProgram([], () => {});
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const released = changelog.match(/^## \[(\d+\.\d+\.\d+)\]/m)?.[1];
    const app = await serverWithoutIndex();
    onTestFinished(() => app.close());
    const documents = ['/api/v2/openapi.json', '/api/v3/openapi.json', '/api/emulate/openapi.json'];
    const shown = await Promise.all(
      documents.map(
        async (url) => (await app.inject({ url, headers: { host: '127.0.0.1' } })).json().info.version,
      ),
    );
    const all = [lock.version, lock.packages[''].version, program.version(), released, ...shown];
    expect(all).toEqual(all.map(() => version));
  });
});

describe('package.json', () => {
  it('lists files, exports and commands that exist', () => {
    const targets = [...files, ...paths(exports), ...paths(bin)];
    // `npm pack` makes dist, with the layout of the clone; it compiles and bundles the sources.
    const inClone = targets.map((path) =>
      path
        .replace(/^(\.\/)?dist\/cjs\/testing\./, 'src/testing/testing.')
        .replace(/^(\.\/)?dist\/cjs\//, 'src/')
        .replace(/^(\.\/)?dist(\/|$)/, '')
        .replace(/\.(d\.ts|js|d\.cts|cjs)$/, '.ts')
        .replace(/\*$/, ''),
    );
    expect(inClone.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
