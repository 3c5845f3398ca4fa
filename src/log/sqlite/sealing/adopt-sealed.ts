import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { makeFolders, syncFolder } from '../../../platform/files/folders.ts';
import type { SealedRange } from '../../port.ts';
import { readStub, writeStub } from '../../sealed/remote/remote-stub.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import type { LogStore } from '../log-store.ts';
import { hasFile, readForeign, toSealedRange } from './foreign-file.ts';
import { isNativeFree, nameAtEnd, nameNative, reserveNumber } from './name-foreign.ts';

/**
 * Takes a sealed file of another log of the same network into this one, with its offsets if they are free: those of a file
 * that was joined are not. Every byte is read and compared with the checksums first. The other log keeps its file: the new name is a
 * hard link, or a copy on another file system. Of a file in a bucket it is another stub.
 * @throws SealedFileError if the file is damaged, is of another network, or is here already
 */
export async function adoptSealed(store: LogStore, path: string): Promise<SealedRange> {
  const found = await readForeign(store, path);
  if (hasFile(store, path))
    throw new SealedFileError(path, 'a file that the log does not have', 'one that it has');
  const isNative = isNativeFree(store, found);
  const id = isNative ? found.segment.id : reserveNumber(store);
  makeFolders(store.sealed.folder);
  const target = store.sealed.path({ ...found.segment, id });
  linkOrCopy(path, target);
  syncFolder(store.sealed.folder);
  try {
    if (isNative) nameNative(store, found);
    else nameAtEnd(store, found, id);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
  return toSealedRange(id, found, target);
}

function linkOrCopy(from: string, to: string): void {
  rmSync(to, { force: true });
  const stub = readStub(realpathSync(from));
  // The other log has the object too.
  if (stub) {
    writeStub(to, { ...stub, isOwn: false });
    return;
  }
  try {
    linkSync(from, to);
    return;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code !== 'EXDEV' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
  }
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  fsyncSync(file);
  closeSync(file);
}
