import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module that is started by its address: the compiler leaves these names as they are. */
const MODULE_URL = /(new URL\('\.[^']*)\.ts(', import\.meta\.url\))/g;
/** Any other relative name of a TypeScript file in quotes. */
const LEFT = /['"`]\.{1,2}\/[^'"`\n]*\.ts['"`]/;

/** Compiled code with the names of compiled modules. @throws Error a name of a TypeScript file is left */
export function nameCompiledModules(file: string, code: string): string {
  const named = code.replace(MODULE_URL, '$1.js$2');
  const left = LEFT.exec(named);
  if (left) throw new Error(`${file}: expected only names of .js files, found ${left[0]}`);
  return named;
}

/** Names of the files in a folder and its subfolders, with an ending. */
export function listFiles(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
}

/** Applies `nameCompiledModules` to each compiled file of a folder. */
export function rewriteCompiledFiles(folder: string): void {
  for (const name of listFiles(folder, '.js')) {
    const path = join(folder, name);
    const code = readFileSync(path, 'utf8');
    const named = nameCompiledModules(path, code);
    if (named !== code) writeFileSync(path, named);
  }
}
