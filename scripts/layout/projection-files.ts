import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HandWritten } from './hand-written.ts';

/** Most files that people write for a projection outside its own folders. */
export const PROJECTION_LIMIT = 4;

/**
 * Endpoints declare the projections that they read. The local chain and the tables may know no projection
 * (check-boundaries.ts): an equal word means something else there.
 */
const OTHERS = /^src\/(api|localnet|tables)\//;

/** A projection, and the files outside its own folders that name it. */
export interface ProjectionFiles {
  readonly projection: string;
  readonly files: readonly string[];
}

/** Files by projection, for the folders of `src/projections` with a value in `pipelines`. */
export function projectionFiles(files: readonly HandWritten[]): ProjectionFiles[] {
  return projectionNames().map((projection) => {
    const own = new RegExp(
      `^(src/projections/${projection}/|clickhouse/${projection}/|pipelines/${projection}\\.ts$)`,
    );
    const naming = files.filter(
      ({ path, text }) => !own.test(path) && !OTHERS.test(path) && names(text, projection),
    );
    return { projection, files: naming.map(({ path }) => path) };
  });
}

/** Imports of its files, its value, and its name as a word of its own in quotes or as a key. */
function names(text: string, projection: string): boolean {
  return [
    new RegExp(`(projections/${projection}/|(pipelines|\\.)/${projection}\\.ts')`),
    new RegExp(`['"]${projection}['"]`),
    new RegExp(`^ *${projection}:`, 'm'),
  ].some((pattern) => pattern.test(text));
}

function projectionNames(): string[] {
  const root = resolve(import.meta.dirname, '../..');
  const values = readdirSync(resolve(root, 'pipelines')).map((file) => file.replace(/\.ts$/, ''));
  return readdirSync(resolve(root, 'src/projections')).filter((name) => values.includes(name));
}
