/**
 * `npm pack` runs this before it packs: compiles the program to `dist`, copies what it reads, and writes the package.json
 * of the package. `restore-manifest.ts` puts the package.json of the clone back. `dist` has the layout of the clone, so
 * modules find SQL, schemas and layouts by the same relative paths; their code is joined in `dist/modules`.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleModules } from './bundle-modules.ts';
import { hashFiles, listFiles, rewriteCompiledFiles } from './compiled-files.ts';
import { ORIGINAL, restoreManifest } from './original-manifest.ts';
import { type Manifest, toPublishedManifest } from './published-manifest.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
/** Folders that the program reads as they are. */
const FOLDERS = ['clickhouse', 'schemas', 'web/build'];
/** Files between the modules that the program reads. */
const READ_FILES = ['.tlb', '.avsc'];
/** Files of `@ton/sandbox` that run the TVM; the others need packages without a license. */
const TVM_FILES = [
  'LICENSE',
  'dist/executor/Executor.js',
  'dist/executor/emulator-emscripten.js',
  'dist/executor/emulator-emscripten.debugger.js',
  'dist/executor/emulator-emscripten.wasm.js',
  'dist/utils/base64.js',
  'dist/utils/bpatch.js',
];

/** Modules that `exports` of package.json names: users of the package load them under their own Node. */
const EXPORTED = ['src/client/client.js', 'src/testing/testing.js'];

const readManifest = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest;

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function compile(project: string): void {
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', join(ROOT, project)], {
    stdio: 'inherit',
  });
}

function copyFiles(from: string, to: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(from, name), join(to, name));
  }
}

function copyRead(): void {
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true });
  for (const ending of READ_FILES)
    copyFiles(join(ROOT, 'src'), join(DIST, 'src'), listFiles(join(ROOT, 'src'), ending));
  copyFiles(join(ROOT, 'node_modules/@ton/sandbox'), join(DIST, 'vendor/ton-sandbox'), TVM_FILES);
  cpSync(join(import.meta.dirname, 'vendor-notice.md'), join(DIST, 'vendor/NOTICE.md'));
  writeJson(join(DIST, 'vendor/package.json'), { type: 'commonjs' });
}

restoreManifest();
rmSync(DIST, { recursive: true, force: true });
compile('tsconfig.package.json');
compile('tsconfig.declarations.json');
compile('tsconfig.testing.json');
rewriteCompiledFiles(DIST);
await bundleModules(DIST, 'src/main.js', EXPORTED);
copyRead();
for (const name of ['.cjs', '.d.cts'])
  cpSync(join(import.meta.dirname, `testing-entry${name}`), join(DIST, `cjs/testing${name}`));
writeJson(join(DIST, 'cjs/package.json'), { type: 'commonjs' });
const manifest = readManifest('package.json');
writeJson(join(DIST, 'package.json'), {
  build: hashFiles(DIST),
  name: manifest.name,
  version: manifest.version,
  type: 'module',
  imports: { '#executor/*': './vendor/ton-sandbox/dist/executor/*' },
});
mkdirSync(dirname(ORIGINAL), { recursive: true });
cpSync(join(ROOT, 'package.json'), ORIGINAL);
writeJson(
  join(ROOT, 'package.json'),
  toPublishedManifest(manifest, readManifest('node_modules/fflate/package.json').version),
);
