import { constants } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Copies a folder without the entries named `skipped`, also to a place in such an entry of its own; shares the blocks on disk
 * if the file system can.
 */
export async function copyTree(from: string, to: string, skipped: readonly string[]): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (skipped.includes(name)) continue;
    await cp(join(from, name), join(to, name), {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      preserveTimestamps: true,
      filter: (path) => !skipped.includes(basename(path)),
    });
  }
}
