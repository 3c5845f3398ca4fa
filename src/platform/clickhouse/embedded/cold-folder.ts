import { randomUUID } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ConflictError } from '../../errors/error-kinds.ts';
import { ensurePrivateDirectory, writePrivateFile } from '../../files/private-directory.ts';
import { COLD_VOLUME } from '../cold-volume.ts';
import type { ColdPlace } from './cold-place.ts';

/** Note in the store's directory: where its cold volume is. */
interface ColdNote {
  /** Absolute path of the parts; of a bucket, of their metadata. */
  readonly folder: string;
  /** The same id is in the folder; empty for a bucket. */
  readonly id: string;
  /** Name of the place in a bucket. Default: the parts are in the folder. */
  readonly bucket?: string;
}

/** Folder of a disk for the originals of parts that move to another one (held-parts.ts). */
export const HELD = 'held';

const NOTE = 'cold.json';
/** Note in the cold folder. */
const MARK = 'tonhouse-cold.json';
/** What a new file system contains, and the note of a start that was cut off. */
const IGNORED: ReadonlySet<string> = new Set(['lost+found', MARK]);
/** Folders of a table that are not parts: unfinished moves and parts that were put aside. */
const NO_PARTS: ReadonlySet<string> = new Set(['detached', 'moving']);

/** The place cannot be the cold volume of the store, or the store has parts in another one. */
export class ColdPlaceError extends ConflictError {
  readonly place: string;

  constructor(place: string, problem: string) {
    super(`cold volume ${place}: ${problem}`);
    this.place = place;
  }
}

/**
 * Prepares the cold place of a store before its server starts: a new folder is marked as the store's own. Without a
 * place, checks that the store needs none. @throws ColdPlaceError
 */
export function prepareColdPlace(directory: string, place: ColdPlace | undefined): void {
  const note = readColdNote(directory);
  if (place === undefined) {
    if (note) forgetPlace(directory, note);
  } else if ('folder' in place) prepareFolder(directory, note, resolve(place.folder));
  else if (note?.bucket !== place.name) {
    if (note) requireUnused(directory, note, place.name);
    // Here the server has the names of a part's objects.
    writeNote(directory, { folder: join(directory, 'data/disks', COLD_VOLUME), id: '', bucket: place.name });
  }
}

function prepareFolder(directory: string, note: ColdNote | null, folder: string): void {
  checkPlace(directory, folder);
  if (note && !note.bucket && readMark(folder) === note.id) {
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
  const note = readColdNote(directory);
  return note && !note.bucket ? note.folder : null;
}

/** Where the server has the parts of the cold volume. */
export interface ColdRoot {
  /** Absolute path. */
  readonly folder: string;
  /** True if the files there name objects of a bucket. */
  readonly isBucket: boolean;
}

/** Where the server has the parts of the cold volume that the store used last; null if it has none. */
export function readColdRoot(directory: string): ColdRoot | null {
  const note = readColdNote(directory);
  return note && { folder: note.folder, isBucket: note.bucket !== undefined };
}

/** The setting `cold` that the store had last; null if it has no cold volume. */
export function readColdPlace(directory: string): string | null {
  const note = readColdNote(directory);
  return note && (note.bucket ?? note.folder);
}

function forgetPlace(directory: string, note: ColdNote): void {
  requireUnused(directory, note, undefined);
  rmSync(join(directory, NOTE));
}

/** Checks that the last cold place has no parts, before another one or none is used. */
function requireUnused(directory: string, { folder, id, bucket }: ColdNote, next: string | undefined): void {
  if (!bucket && readMark(folder) !== id)
    throw new ColdPlaceError(
      folder,
      `old parts of tables may be there, and it has no file ${MARK} of this store. Is its disk mounted? If it had no parts, delete ${join(directory, NOTE)}`,
    );
  if (!holdsParts(folder)) return;
  const place = bucket ?? folder;
  const advice =
    next === undefined || bucket
      ? 'With --cold-after never, `tonhouse up` moves them back'
      : `To use ${next}, move all files of the folder there while the store is stopped`;
  throw new ColdPlaceError(place, `old parts of tables are there. Give --cold ${place}. ${advice}`);
}

function checkPlace(directory: string, folder: string): void {
  const isInside = (inner: string, outer: string) => !relative(outer, inner).startsWith('..');
  if (isInside(folder, directory) || isInside(directory, folder))
    throw new ColdPlaceError(folder, `it overlaps the directory of the store, ${directory}`);
}

function requireEmpty(folder: string): void {
  const found = entries(folder).find(({ name }) => !IGNORED.has(name));
  if (!found) return;
  const problem =
    readMark(folder) === null
      ? `it contains ${JSON.stringify(found.name)}, and a new cold folder must be empty`
      : 'it belongs to another store';
  throw new ColdPlaceError(folder, problem);
}

/** True if a table has a part below `store/abc/<uuid of the table>`, or a move from here may have to be undone. */
function holdsParts(folder: string): boolean {
  const hasParts = folders(join(folder, 'store')).some((group) =>
    folders(group).some((table) =>
      entries(table).some((one) => one.isDirectory() && !NO_PARTS.has(one.name)),
    ),
  );
  return hasParts || folders(join(folder, HELD)).length > 0;
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
  writePrivateFile(join(directory, NOTE), `${JSON.stringify(note)}\n`);
}

function readJson<T>(file: string): T | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null;
}
