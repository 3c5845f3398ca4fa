import type { Stats } from 'node:fs';
import { DataError } from '../errors/error-kinds.ts';

/** A path that is no regular file where one is needed. */
export class NotRegularFileError extends DataError {
  readonly path: string;
  /** What the path is, with its article: `a FIFO`. */
  readonly found: string;

  constructor(path: string, found: string) {
    super(`${path} is ${found}, not a regular file`);
    this.path = path;
    this.found = found;
  }
}

/** A file that is larger than its reader allows. */
export class FileTooLargeError extends DataError {
  readonly path: string;

  constructor(path: string, size: number, maxBytes: number) {
    super(`${path} has ${size} bytes, ${maxBytes} are allowed`);
    this.path = path;
  }
}

type FileType = Pick<
  Stats,
  'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isBlockDevice' | 'isCharacterDevice'
>;

/** Names what a path is, with its article. */
export function nameFileType(found: FileType): string {
  if (found.isFile()) return 'a regular file';
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a FIFO';
  if (found.isSocket()) return 'a socket';
  if (found.isCharacterDevice()) return 'a character device';
  return found.isBlockDevice() ? 'a block device' : 'a file of unknown type';
}
