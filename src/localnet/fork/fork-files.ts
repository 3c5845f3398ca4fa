import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { errorCode } from '../../platform/files/list-files.ts';
import { ForkError } from './fork-error.ts';

/** A file of `--fork`. */
export interface ListedFile {
  readonly path: string;
  /** True if the user named the file itself, not its folder. */
  readonly isNamed: boolean;
}

/**
 * Lists the files of `--fork` in the order in which they are given. A folder stands for its own files that end in `.boc`, by
 * name; folders below it are not read. A file that is named twice counts once.
 *
 * @throws ForkError: a path does not exist or cannot be read, or a folder has no such file
 */
export async function listForkFiles(paths: readonly string[]): Promise<ListedFile[]> {
  const files = new Map<string, ListedFile>();
  const problems: string[] = [];
  for (const path of paths) {
    try {
      const found = await findFiles(path);
      if (found.length === 0)
        problems.push(`${path}: expected files that end in .boc in this folder, found none`);
      for (const file of found) {
        const real = await realpath(file.path);
        if (file.isNamed || !files.has(real)) files.set(real, file);
      }
    } catch (error) {
      const code = errorCode(error);
      if (code === null) throw error;
      problems.push(`${path} cannot be read (${code})`);
    }
  }
  if (problems.length > 0) throw new ForkError(problems);
  return [...files.values()];
}

async function findFiles(path: string): Promise<ListedFile[]> {
  if (!(await stat(path)).isDirectory()) return [{ path, isNamed: true }];
  const names = await readdir(path);
  return names
    .filter((name) => extname(name) === '.boc')
    .sort()
    .map((name) => ({ path: join(path, name), isNamed: false }));
}
