import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes the names in a folder to the disk: a new file's name must survive a power cut as well as its data. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates a folder and its missing parents, private to this user; their names survive a power cut. */
export function makeFolders(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) syncFolder(folder);
  syncFolder(dirname(first));
}
