import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UnreadableError } from '../unreadable-error.ts';
import { type Classified, classify } from './classify.ts';

export type ScannedFile = Classified & { readonly file: string; readonly bytes: Uint8Array };

/** The files of a path (one file, or a folder with all below it), in the order of their names. */
export async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Reads files in sequence and classifies each. */
export async function* scanFiles(files: readonly string[]): AsyncGenerator<ScannedFile> {
  for (const file of files) {
    const bytes = await tryBytes(file);
    if (bytes instanceof UnreadableError) yield { kind: 'bad', error: bytes, file, bytes: new Uint8Array() };
    else yield { ...classify(bytes, file), file, bytes };
  }
}

/** A link may lead nowhere, a file may be another user's. */
async function tryBytes(file: string): Promise<Uint8Array | UnreadableError> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (cause) {
    return new UnreadableError(file, cause);
  }
}
