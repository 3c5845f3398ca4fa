import { expect, it } from 'vitest';
import { nameCompiledModules } from '../../../../scripts/package/compiled-files.ts';

it('names the compiled module of each started thread and process', () => {
  const code =
    "const A = new URL('./worker.ts', import.meta.url), B = new URL('./b/c.ts', import.meta.url).href;";
  expect(nameCompiledModules('a.js', code)).toBe(
    "const A = new URL('./worker.js', import.meta.url), B = new URL('./b/c.js', import.meta.url).href;",
  );
});

it('names the declarations that a declaration file imports', () => {
  expect(nameCompiledModules('a.d.ts', "export type { A } from './a.ts';")).toBe(
    "export type { A } from './a.js';",
  );
});

it('refuses any other name of a TypeScript file', () => {
  expect(() => nameCompiledModules('a.js', "start('../other.ts');")).toThrow(
    "a.js: expected only names of .js files, found '../other.ts'",
  );
});
