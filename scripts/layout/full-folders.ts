import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(import.meta.dirname, '../..');

/** Files that a folder has at most, without those of its folders. */
export const FILE_LIMIT = 30;

/** Folders with more files than the limit, as `folder: N files`. `folders`: from the root. Folders called `build` are made by scripts. */
export function fullFolders(folders: readonly string[], root: string = PROJECT): string[] {
  return folders.flatMap((folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).length;
    const inner = entries.filter((entry) => entry.isDirectory() && entry.name !== 'build');
    return [
      ...(files > FILE_LIMIT ? [`${folder}: ${files} files`] : []),
      ...fullFolders(
        inner.map(({ name }) => `${folder}/${name}`),
        root,
      ),
    ];
  });
}
