/**
 * Moving of sealed files to another folder, which may be on another disk. The log's folder `sealed` then has a symbolic link
 * in place of the file, so readers find it as before. Nothing is deleted before its copy is on the disk and was compared:
 *
 *  1. `copied`: the copy has a temporary name, and its bytes are on the disk.
 *  2. `compared`: it was read back, and its SHA-256 is that of the file.
 *  3. `renamed`: it has its name there, and the name is on the disk.
 *  4. `linked`: the log's folder has the link. Readers change over here.
 *  5. `freed`: the file that was moved is deleted.
 *
 * A process that dies before 4 leaves the file as it was, and a copy that the next move replaces. A file that is freed has a
 * second link, `.old`, from before 3 until 5: the next move frees what one that died has left.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { takeDirectoryLock } from '../../../platform/files/directory-lock.ts';
import { makeFolders, syncFolder } from '../../../platform/files/folders.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { SealingHeldError } from '../errors.ts';

/** What was done; the work can be interrupted after each of them. */
export interface MoveStep {
  readonly step: 'copied' | 'compared' | 'renamed' | 'linked' | 'freed';
  readonly name: string;
  readonly bytes: number;
}

const BUFFER_BYTES = 4 << 20;
/** Added to the name of a file: the link to where it was before a move. */
const OLD = '.old';

/** What happens during a move. */
export interface MoveWatch {
  readonly signal: AbortSignal;
  onStep(step: MoveStep): void;
}

/**
 * Moves all sealed files of a log to a folder. `sealed`: the folder of the log; as target, it takes them back.
 * @throws SealingHeldError if another process seals or moves, SealedFileError if a copy differs
 */
export async function moveSealed(sealed: string, to: string, { signal, onStep }: MoveWatch): Promise<void> {
  for (const step of moveFiles(sealed, to)) {
    onStep(step);
    // Signals of the process are noticed.
    await setImmediate();
    signal.throwIfAborted();
  }
}

function* moveFiles(sealed: string, to: string): Generator<MoveStep, void> {
  makeFolders(sealed);
  makeFolders(resolve(to));
  const lock = takeDirectoryLock(sealed, 'sealing.lock');
  if (!lock) throw new SealingHeldError(sealed);
  try {
    const names = readdirSync(sealed).sort();
    for (const name of names.filter((one) => one.endsWith(`.sealed${OLD}`)))
      yield* freeMoved(join(sealed, name.slice(0, -OLD.length)));
    for (const name of names.filter((one) => one.endsWith('.sealed')))
      yield* moveFile(join(sealed, name), realpathSync(to));
  } finally {
    lock.release();
  }
}

/** Folder in which a sealed file is; null if the file is gone. */
export function findSealed(path: string): string | null {
  try {
    return dirname(realpathSync(path));
  } catch {
    return null;
  }
}

function* moveFile(path: string, folder: string): Generator<MoveStep, void> {
  const source = realpathSync(path);
  const name = basename(path);
  const target = join(folder, name);
  if (source === target) return;
  const temporary = `${target}.tmp`;
  const home = realpathSync(dirname(path));
  let bytes = 0;
  const done = (step: MoveStep['step']): MoveStep => ({ step, name, bytes });
  try {
    const sum = copyFile(source, temporary);
    bytes = sum.bytes;
    yield done('copied');
    const found = sumFile(temporary);
    if (found !== sum.sha256) throw new SealedFileError(temporary, `SHA-256 ${sum.sha256}`, found);
    yield done('compared');
    if (source !== join(home, name)) noteSource(path, source);
    // At home this replaces the link, and the readers change over.
    renameSync(temporary, target);
    syncFolder(folder);
    yield done('renamed');
  } finally {
    rmSync(temporary, { force: true });
  }
  if (folder !== home) linkTo(path, target);
  yield done('linked');
  yield* freeMoved(path);
}

/** Notes where a file is that a move will free. */
function noteSource(path: string, source: string): void {
  rmSync(`${path}${OLD}`, { force: true });
  symlinkSync(source, `${path}${OLD}`);
  syncFolder(dirname(path));
}

/** Deletes the file that a move has replaced, if it is noted. What is read instead exists. */
function* freeMoved(path: string): Generator<MoveStep, void> {
  const note = `${path}${OLD}`;
  if (!lstatSync(note, { throwIfNoEntry: false })) return;
  const [source, current] = [readlinkSync(note), findSealed(path)];
  if (current === null) return;
  const isReplaced = source !== join(current, basename(path));
  if (isReplaced && existsSync(source)) {
    rmSync(source);
    syncFolder(dirname(source));
  }
  rmSync(note);
  if (isReplaced) yield { step: 'freed', name: basename(path), bytes: 0 };
}

/** Replaces a file or a link by a link, at once. */
function linkTo(path: string, target: string): void {
  const link = `${path}.link`;
  rmSync(link, { force: true });
  symlinkSync(target, link);
  renameSync(link, path);
  syncFolder(dirname(path));
  if (!lstatSync(path).isSymbolicLink()) throw new SealedFileError(path, `a link to ${target}`, 'a file');
}

/** Copies a file and writes it to the disk. */
function copyFile(from: string, to: string): { readonly sha256: string; readonly bytes: number } {
  rmSync(to, { force: true });
  const target = openSync(to, 'wx', 0o600);
  try {
    let bytes = 0;
    const hash = createHash('sha256');
    for (const part of parts(from)) {
      hash.update(part);
      for (let done = 0; done < part.length; )
        done += writeSync(target, part, done, part.length - done, bytes + done);
      bytes += part.length;
    }
    fsyncSync(target);
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    closeSync(target);
  }
}

function sumFile(path: string): string {
  const hash = createHash('sha256');
  for (const part of parts(path)) hash.update(part);
  return hash.digest('hex');
}

/** Contents of a file; each part is valid until the next one. */
function* parts(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(BUFFER_BYTES);
  try {
    for (let at = 0; ; ) {
      const count = readSync(file, buffer, 0, buffer.length, at);
      if (count === 0) return;
      yield buffer.subarray(0, count);
      at += count;
    }
  } finally {
    closeSync(file);
  }
}
