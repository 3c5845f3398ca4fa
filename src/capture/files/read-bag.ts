import { FileTooLargeError } from '../../platform/files/file-errors.ts';
import { RegularFile } from '../../platform/files/regular-file.ts';
import { MAX_FILE_BYTES } from '../read-state.ts';
import { isBocMagic } from './classify.ts';

const MAGIC_BYTES = 4;

/**
 * Reads a file that may be a bag of cells. Of any other file only the first four bytes are read: a folder may hold files
 * of any size.
 *
 * @throws FileTooLargeError: a bag of more than MAX_FILE_BYTES; NotRegularFileError, and the errors of the system
 */
export async function readBag(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
  await using file = await RegularFile.open(path, signal);
  const { size } = file;
  const magic = await file.read(0, Math.min(size, MAGIC_BYTES));
  if (!isBocMagic(magic)) return { bytes: magic, size };
  if (size > MAX_FILE_BYTES) throw new FileTooLargeError(path, size, MAX_FILE_BYTES);
  return { bytes: await file.read(0, size), size };
}
