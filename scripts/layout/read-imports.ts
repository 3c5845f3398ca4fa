import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** One import: project paths from the root, module names unchanged; `process.env` counts as one. */
export interface Import {
  readonly file: string;
  readonly target: string;
}

function targets(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
  if (/\bprocess\.env\b/.test(text)) found.push('process.env');
  return found.map((target) =>
    target.startsWith('.') ? relative(root, resolve(root, dirname(file), target)) : target,
  );
}

/** TypeScript files below some folders of the project, from its root. */
export function sourceFiles(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
}

/** Every import of the TypeScript files below some folders. */
export function readImports(folders: readonly string[]): Import[] {
  return sourceFiles(folders).flatMap((file) => targets(file).map((target) => ({ file, target })));
}
