import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cliBreaches } from '../../../scripts/layout/cli-code.ts';
import { errorsWithoutKind } from '../../../scripts/layout/errors-without-kind.ts';
import { fileCycles } from '../../../scripts/layout/file-cycles.ts';
import { fullFolders } from '../../../scripts/layout/full-folders.ts';
import { longFunctions } from '../../../scripts/layout/long-functions.ts';
import { longParameterLists } from '../../../scripts/layout/long-parameters.ts';
import { rawOutput } from '../../../scripts/layout/raw-output.ts';
import { readImports } from '../../../scripts/layout/read-imports.ts';
import { type SourceTree, sourceTrees } from '../../../scripts/layout/source-trees.ts';
import { undeclaredPackages, unneededPackages } from '../../../scripts/layout/undeclared-packages.ts';
import { vagueNames } from '../../../scripts/layout/vague-names.ts';

const FILES = {
  'tsconfig.json': '{"include": ["src"]}',
  'src/cli/commands/bad.ts': [
    'export async function run(client: any, lines: string[]) {',
    '  for (const line of lines) console.log(line);',
    '  lines.forEach((line) => console.log(line));',
    '  while (lines.length > 0) lines.pop();',
    '  do lines.pop(); while (lines.length > 0);',
    '  await client.queryRows(`SELECT 1 FROM x`, {});',
    "  await client.command('DROP TABLE x', {});",
    '}',
  ].join('\n'),
  'src/cli/commands/good.ts': [
    '/** A loop for people: `for (;;)`, and SELECT, in words. */',
    'export function run(command: any, lines: string[]) {',
    "  command.command('fund <ADDRESS>').description('select what to do while it lasts');",
    "  return lines.map((line) => line + ' for a while').join('DROPPED ');",
    '}',
  ].join('\n'),
  'src/engine/packages.ts': [
    "import type { Socket } from 'types-only';",
    "import { readFileSync } from 'node:fs';",
    "import { here } from './steps.ts';",
    "import { part } from '@declared/package/part';",
    "import { Client } from '@scope/client/deep';",
    "export { other } from 'other';",
    "export const load = () => import('lazy');",
  ].join('\n'),
  'src/engine/steps.ts': [
    'export function* steps(a: number, b: number, c: number, d: number) { for (;;) yield a + b + c + d; }',
    'export const five = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];',
  ].join('\n'),
  'src/engine/errors.ts': [
    'export class OldError extends Error {}',
    'export class GoneError extends DataError {}',
    'class DataError extends Error {}',
  ].join('\n'),
  'src/engine/long.ts': [
    'export function fits() {',
    ...Array.from({ length: 78 }, () => '  void 0;'),
    '}',
    'export const tooLong = () => {',
    ...Array.from({ length: 79 }, () => '  void 0;'),
    '};',
  ].join('\n'),
  ...Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`src/full/file-${i}.ts`, 'export {};'])),
  ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`src/half/file-${i}.ts`, 'export {};'])),
  'src/ton/errors.ts': 'export class CellError extends Error {}',
  'src/engine/names.ts': [
    'export function hashOf(text: string) { return text; }',
    'const sizeOf = (text: string) => text.length;',
    'class Rows { #rowOf() {} nameOf() {} takeOfFirst() {} }',
    'interface Port { textOf(): string; readonly keyOf: (text: string) => string }',
    'function anyOf(take: (linkOf: () => string) => void, partOf: string) { return "x".indexOf(partOf); }',
    "export const at = Uint8Array.of(1); // hashOf, as in 'const hashOf = () => 1'",
  ].join('\n'),
};

let root: string;
let trees: SourceTree[];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-check-code-'));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  trees = sourceTrees(['src'], root);
});
afterAll(() => rmSync(root, { recursive: true }));

it('refuses loops and statements of the store in src/cli, and nothing else', () => {
  const bad = 'src/cli/commands/bad.ts';
  expect(cliBreaches(trees).sort()).toEqual([
    `${bad}:2: a loop in src/cli`,
    `${bad}:3: a loop in src/cli`,
    `${bad}:4: a loop in src/cli`,
    `${bad}:5: a loop in src/cli`,
    `${bad}:6: SQL in src/cli`,
    `${bad}:6: a statement of the store in src/cli`,
    `${bad}:7: SQL in src/cli`,
    `${bad}:7: a statement of the store in src/cli`,
  ]);
});

it('counts functions with five or more parameters', () => {
  expect(longParameterLists(trees)).toEqual(['src/engine/steps.ts:2: ArrowFunction takes 5 parameters']);
});

it('names imported packages that an install without development packages lacks', () => {
  expect(undeclaredPackages(trees, new Set(['@declared/package']))).toEqual(
    [
      ['5', '@scope/client'],
      ['6', 'other'],
      ['7', 'lazy'],
    ].map(
      ([line, name]) => `src/engine/packages.ts:${line}: ${name} is imported and is not in "dependencies"`,
    ),
  );
});

it('names packages of "dependencies" that no file imports', () => {
  const declared = ['@declared/package', 'lazy', 'node', 'never', 'types-only'];
  expect(unneededPackages(trees, declared)).toEqual(
    ['never', 'types-only'].map(
      (name) => `package.json: ${name} is in "dependencies" and no file imports it`,
    ),
  );
});

it('names what writes to the terminal raw', () => {
  const bad = 'src/cli/commands/bad.ts';
  expect(rawOutput(trees)).toEqual(
    [2, 3].map((line) => `${bad}:${line}: console.log may print control characters`),
  );
});

it('refuses functions called xOf, apart from the listed names', () => {
  const vague = vagueNames(trees).map((one) => one.slice(0, one.indexOf(' is a vague name')));
  expect(vague).toEqual(
    [
      [1, 'hashOf'],
      [2, 'sizeOf'],
      [3, '#rowOf'],
      [3, 'nameOf'],
      [4, 'textOf'],
      [4, 'keyOf'],
      [5, 'linkOf'],
    ].map(([line, name]) => `src/engine/names.ts:${line}: ${name}`),
  );
});

it('finds error classes without a kind, except in folders that import nothing', () => {
  expect(errorsWithoutKind(trees)).toEqual([
    'src/engine/errors.ts:1: OldError extends Error: extend a kind of src/platform/errors',
    'src/engine/errors.ts:3: DataError extends Error: extend a kind of src/platform/errors',
  ]);
});

it('finds functions of more than 80 lines', () => {
  expect(longFunctions(trees)).toEqual(['src/engine/long.ts:81: ArrowFunction has 81 lines']);
});

it('finds folders with more than 30 files', () => {
  expect(fullFolders(['src'], root)).toEqual(['src/full: 31 files']);
});

it('finds cycles of files that load each other', () => {
  const load = (file: string, target: string, isLoaded = true) => ({ file, target, isLoaded });
  const imports = [
    load('src/a.ts', 'src/b.ts'),
    load('src/b.ts', 'src/c.ts'),
    load('src/c.ts', 'src/a.ts'),
    load('src/d.ts', 'src/e.ts'),
    load('src/e.ts', 'src/d.ts', false),
    load('src/d.ts', 'zod'),
  ];
  expect(fileCycles(imports)).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts']]);
});

it('distinguishes imports of types from those that load a file', () => {
  const file = 'scripts/layout/file-cycles.ts';
  expect(readImports(['scripts/layout']).filter((one) => one.file === file)).toEqual([
    { file, target: 'scripts/layout/folder-circles.ts', isLoaded: true },
    { file, target: 'scripts/layout/read-imports.ts', isLoaded: false },
  ]);
});
