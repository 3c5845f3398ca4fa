import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileTooLargeError, NotRegularFileError, nameFileType } from './file-errors.ts';
import { untilAborted } from './until-aborted.ts';

/** How the files of an operator's path are read. */
export interface FileReading {
  /** Ends every read. */
  readonly signal?: AbortSignal | undefined;
  /** Called with everything that is not read although it is there, and what it is. */
  readonly onSkip?: ((path: string, reason: string) => void) | undefined;
}

/**
 * Lists the regular files of a path in the order of their names: the path itself, or all files of a folder and the folders
 * below it. Links to regular files count. Links to folders are skipped: they may lead into a loop, or out of the folder.
 *
 * @throws NotRegularFileError: the path is neither a regular file nor a folder
 */
export async function listFiles(path: string, reading: FileReading = {}): Promise<string[]> {
  const found = await untilAborted(stat(path), reading.signal);
  if (found.isFile()) return [path];
  if (!found.isDirectory()) throw new NotRegularFileError(path, nameFileType(found));
  const files: string[] = [];
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of await readEntries(folder, folder === path, reading)) {
      const file = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(file);
      else if (entry.isFile()) files.push(file);
      else {
        const reason = await reasonToSkip(file, reading);
        if (reason === null) files.push(file);
        else reading.onSkip?.(file, reason);
      }
    }
  return files.sort();
}

/** Entries of a folder. One below the given folder may be closed to this user, as `lost+found` is, or be gone. */
async function readEntries(folder: string, isGiven: boolean, reading: FileReading): Promise<Dirent[]> {
  try {
    return await untilAborted(readdir(folder, { withFileTypes: true }), reading.signal);
  } catch (error) {
    const code = errorCode(error);
    if (isGiven || code === null) throw error;
    reading.onSkip?.(folder, `a folder that cannot be read (${code})`);
    return [];
  }
}

/** Null for a link to a regular file. */
async function reasonToSkip(path: string, { signal }: FileReading): Promise<string | null> {
  try {
    const own = await untilAborted(lstat(path), signal);
    if (!own.isSymbolicLink()) return own.isFile() ? null : nameFileType(own);
    const target = await untilAborted(stat(path), signal);
    return target.isFile() ? null : `a link to ${nameFileType(target)}`;
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    if (code === 'ENOENT') return 'a link to nothing';
    return code === 'ELOOP' ? 'a link in a loop of links' : `a link that cannot be followed (${code})`;
  }
}

/** Code of a system error, or null for other errors. */
export function errorCode(error: unknown): string | null {
  const isSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isSystem ? String(error.code) : null;
}

/** Why a listed file is not read any more: it was replaced or deleted since. Null for other errors. */
export function reasonOfChange(error: unknown): string | null {
  if (error instanceof NotRegularFileError) return error.found;
  return errorCode(error) === 'ENOENT' ? 'removed after its folder was listed' : null;
}

/** Why a listed file cannot be read. Null for errors that are not the file's, such as a stop. */
export function reasonNotRead(error: unknown): string | null {
  const reason = reasonOfChange(error);
  if (reason !== null) return reason;
  return error instanceof FileTooLargeError || errorCode(error) !== null ? (error as Error).message : null;
}
