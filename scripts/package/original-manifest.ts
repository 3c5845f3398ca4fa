import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** The package.json of the clone, while the one of the package is in its place. */
export const ORIGINAL = join(ROOT, 'node_modules/.cache/package.original.json');

/** Puts the package.json of the clone back, also after a `npm pack` that was interrupted. */
export function restoreManifest(): void {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, join(ROOT, 'package.json'));
}
