import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** One import: project paths from the root, module names unchanged; `process.env` counts as one. */
export interface Import {
  readonly file: string;
  readonly target: string;
  /** True if the target is loaded before the file runs: neither only types nor `import()`. */
  readonly isLoaded: boolean;
}

const IMPORT = /(?:from|import)\s*(\()?\s*'([^']+)'/g;
/** A statement that is only about types: nothing of it remains at run time. */
const OF_TYPES = /(?:import|export) type [^;']*$/;

function importsOfFile(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(IMPORT)].map(({ 1: call, 2: target = '', index }) => ({
    file,
    target: target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
    isLoaded: call === undefined && !OF_TYPES.test(text.slice(0, index)),
  }));
  if (/\bprocess\.env\b/.test(text)) found.push({ file, target: 'process.env', isLoaded: false });
  return found;
}

/** TypeScript files below some folders of the project, from its root. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** Every import of the TypeScript files below some folders. */
export function readImports(folders: readonly string[]): Import[] {
  return sourceFiles(folders).flatMap(importsOfFile);
}
