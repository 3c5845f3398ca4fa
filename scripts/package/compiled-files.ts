import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A module that is started by its address: the compiler leaves these names as they are. */
const MODULE_URL = /(new URL\('\.[^']*)\.ts(', import\.meta\.url\))/g;
/** An import in a declaration file: the compiler leaves the extension there too. */
const TYPE_IMPORT = /(from '\.[^']*)\.ts(')/g;
/** Any other relative name of a TypeScript file in quotes. */
const LEFT = /['"`]\.{1,2}\/[^'"`\n]*\.ts['"`]/;

/** Compiled code with the names of compiled modules. @throws Error a name of a TypeScript file is left */
export function nameCompiledModules(file: string, code: string): string {
  const named = code.replace(MODULE_URL, '$1.js$2').replace(TYPE_IMPORT, '$1.js$2');
  const left = LEFT.exec(named);
  if (left) throw new Error(`${file}: expected only names of .js files, found ${left[0]}`);
  return named;
}

/** Names of the files in a folder and its subfolders, with an ending. */
export function listFiles(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
}

/** Hash of the names and contents of a folder's modules and SQL: chains prepared by another build have another place. */
export function hashFiles(folder: string): string {
  const hash = createHash('sha256');
  for (const name of [...listFiles(folder, '.js'), ...listFiles(folder, '.sql')].sort())
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

/** Applies `nameCompiledModules` to each compiled file of a folder. */
export function rewriteCompiledFiles(folder: string): void {
  for (const name of [...listFiles(folder, '.js'), ...listFiles(folder, '.d.ts')]) {
    const path = join(folder, name);
    const code = readFileSync(path, 'utf8');
    const named = nameCompiledModules(path, code);
    if (named !== code) writeFileSync(path, named);
  }
}
