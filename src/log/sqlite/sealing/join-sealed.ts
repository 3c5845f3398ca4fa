/**
 * Taking a sealed file of another log along. Nothing of the other log is changed, and this log has the file only after its copy
 * is on the disk and was read back:
 *
 *  1. A number is reserved. No segment gets it later, so no other file has this name.
 *  2. The copy gets a temporary name and is written to the disk. Of a file in a bucket it is a stub.
 *  3. Every byte is read back and compared with the checksums of the file.
 *  4. The copy gets its name, and the name is on the disk.
 *  5. The log's directory names the file. Readers find its records from now on.
 *
 * A process that dies before 5 leaves a file that the next join, or sealing, deletes.
 */
import { renameSync, rmSync } from 'node:fs';
import { chmod, constants, copyFile, open, realpath } from 'node:fs/promises';
import { takeDirectoryLock } from '../../../platform/files/directory-lock.ts';
import { makeFolders, syncFolder } from '../../../platform/files/folders.ts';
import type { SealedRange } from '../../port.ts';
import { readStub, writeStub } from '../../sealed/remote/remote-stub.ts';
import { SealedFile } from '../../sealed/sealed-file.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { SealingHeldError, SegmentMissingError } from '../errors.ts';
import type { LogStore } from '../log-store.ts';
import { type ForeignFile, hasFile, readForeign, toSealedRange } from './foreign-file.ts';
import { nameAtEnd, reserveNumber } from './name-foreign.ts';
import { sweepSealed } from './seal-segments.ts';

/**
 * Takes a copy of a sealed file of another log; null if the log has it.
 * @throws SealedFileError if the file is gone, damaged or of another network, SealingHeldError
 */
export async function joinSealed(store: LogStore, path: string): Promise<SealedRange | null> {
  const { folder } = store.sealed;
  makeFolders(folder);
  const lock = takeDirectoryLock(folder, 'sealing.lock');
  if (!lock) throw new SealingHeldError(folder);
  try {
    sweepSealed(store);
    return hasFile(store, path) ? null : await takeFile(store, path);
  } finally {
    lock.release();
  }
}

async function takeFile(store: LogStore, path: string): Promise<SealedRange> {
  const id = reserveNumber(store);
  const { topic, epoch } = readOrigin(store, path);
  const target = store.sealed.path({ topic, epoch, id });
  const temporary = `${target}.tmp`;
  try {
    await copyToDisk(path, temporary);
    const found = await readCopy(store, path, temporary);
    renameSync(temporary, target);
    syncFolder(store.sealed.folder);
    nameAtEnd(store, found, id);
    return toSealedRange(id, found, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function readOrigin({ sealed }: LogStore, path: string) {
  const file = SealedFile.open(path, sealed);
  try {
    return file.index;
  } finally {
    file.close();
  }
}

/** Copies a file, also one that was moved to another folder; of one in a bucket the stub. */
async function copyToDisk(from: string, to: string): Promise<void> {
  const source = await realpath(from);
  const stub = readStub(source);
  if (stub) {
    // The other log has the object too, and deletes it.
    writeStub(to, { ...stub, isOwn: false });
    return;
  }
  await copyFile(source, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads a copy to its end. An error names the file that was copied. */
async function readCopy(store: LogStore, path: string, copy: string): Promise<ForeignFile> {
  try {
    return await readForeign(store, copy);
  } catch (error) {
    if (error instanceof SegmentMissingError) throw new SegmentMissingError(error.file.replace(copy, path));
    if (!(error instanceof SealedFileError)) throw error;
    throw new SealedFileError(path, error.expected, error.found);
  }
}
