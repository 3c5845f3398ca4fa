import { randomUUID } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ConflictError } from '../../errors/error-kinds.ts';
import { ensurePrivateDirectory, writePrivateFile } from '../../files/private-directory.ts';

/** Note in the store's directory: where its cold volume is. */
interface ColdNote {
  /** Absolute path. */
  readonly folder: string;
  /** The same id is in the folder. */
  readonly id: string;
}

const NOTE = 'cold.json';
/** Note in the cold folder. */
const MARK = 'tonhouse-cold.json';
/** What a new file system contains, and the note of a start that was cut off. */
const IGNORED: ReadonlySet<string> = new Set(['lost+found', MARK]);
/** Folders of a table that are not parts: unfinished moves and parts that were put aside. */
const NO_PARTS: ReadonlySet<string> = new Set(['detached', 'moving']);

/** The folder cannot be the cold volume of the store, or the store has parts in another one. */
export class ColdFolderError extends ConflictError {
  readonly folder: string;

  constructor(folder: string, problem: string) {
    super(`cold folder ${folder}: ${problem}`);
    this.folder = folder;
  }
}

/**
 * Prepares the cold folder of a store before its server starts: a new folder is marked as the store's own. Without a
 * folder, checks that the store needs none. @throws ColdFolderError
 */
export function prepareColdFolder(directory: string, folder: string | undefined): void {
  const note = readColdNote(directory);
  if (folder === undefined) {
    if (note) forgetFolder(directory, note);
    return;
  }
  checkPlace(directory, folder);
  if (note && readMark(folder) === note.id) {
    if (note.folder !== folder) writeNote(directory, { ...note, folder });
    return;
  }
  if (note) requireUnused(directory, note, folder);
  requireEmpty(folder);
  const id = randomUUID();
  ensurePrivateDirectory(folder);
  writePrivateFile(join(folder, MARK), `${JSON.stringify({ id })}\n`);
  writeNote(directory, { folder, id });
}

/** The cold folder that the store used last; null if it has none. */
export function readColdFolder(directory: string): string | null {
  return readColdNote(directory)?.folder ?? null;
}

function forgetFolder(directory: string, note: ColdNote): void {
  requireUnused(directory, note, undefined);
  rmSync(join(directory, NOTE));
}

/** Checks that the last cold folder has no parts, before another one or none is used. */
function requireUnused(directory: string, { folder, id }: ColdNote, next: string | undefined): void {
  if (readMark(folder) !== id)
    throw new ColdFolderError(
      folder,
      `old parts of tables may be there, and it has no file ${MARK} of this store. Is its disk mounted? If it had no parts, delete ${join(directory, NOTE)}`,
    );
  if (!holdsParts(folder)) return;
  const advice =
    next === undefined
      ? 'With --cold-after never, `tonhouse up` moves them back'
      : `To use ${next}, move all files of the folder there while the store is stopped`;
  throw new ColdFolderError(folder, `old parts of tables are there. Give --cold ${folder}. ${advice}`);
}

function checkPlace(directory: string, folder: string): void {
  const isInside = (inner: string, outer: string) => !relative(outer, inner).startsWith('..');
  if (isInside(folder, directory) || isInside(directory, folder))
    throw new ColdFolderError(folder, `it overlaps the directory of the store, ${directory}`);
}

function requireEmpty(folder: string): void {
  const found = entries(folder).find(({ name }) => !IGNORED.has(name));
  if (!found) return;
  const problem =
    readMark(folder) === null
      ? `it contains ${JSON.stringify(found.name)}, and a new cold folder must be empty`
      : 'it belongs to another store';
  throw new ColdFolderError(folder, problem);
}

/** True if a table has a part below `store/abc/<uuid of the table>`. */
function holdsParts(folder: string): boolean {
  return folders(join(folder, 'store')).some((group) =>
    folders(group).some((table) =>
      entries(table).some((one) => one.isDirectory() && !NO_PARTS.has(one.name)),
    ),
  );
}

function folders(parent: string): readonly string[] {
  return entries(parent)
    .filter((one) => one.isDirectory())
    .map(({ name }) => join(parent, name));
}

function entries(folder: string): readonly Dirent[] {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

function readMark(folder: string): string | null {
  return readJson<Pick<ColdNote, 'id'>>(join(folder, MARK))?.id ?? null;
}

function readColdNote(directory: string): ColdNote | null {
  return readJson<ColdNote>(join(directory, NOTE));
}

function writeNote(directory: string, note: ColdNote): void {
  writePrivateFile(join(directory, NOTE), `${JSON.stringify({ ...note, folder: resolve(note.folder) })}\n`);
}

function readJson<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null;
}
