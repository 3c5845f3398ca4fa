import { ConflictError, DataError } from '../../platform/errors/error-kinds.ts';
import { UnreadableLogError } from '../errors.ts';

export {
  BusClosedError,
  InvalidRequestError,
  JournalConflictError,
  LogNotEstablishedError,
  SegmentMissingError,
} from '../errors.ts';

/** The directory cannot be created or written. */
export class LogDirectoryError extends ConflictError {
  readonly directory: string;
  /** Code of the operating system, e.g. `EACCES`. */
  readonly code: string;
  constructor(directory: string, code: string) {
    super(`the log's directory ${directory} cannot be written (${code})`);
    this.directory = directory;
    this.code = code;
  }
}

/** The file is not a SQLite database, or it is one of another program. */
export class NotALogFileError extends UnreadableLogError {
  readonly file: string;
  readonly found: string;
  constructor(file: string, found: string) {
    super(`${file} is not a file of this log: found ${found}`);
    this.file = file;
    this.found = found;
  }
}

/** The file was written by a newer version of this program. */
export class NewerLogFileError extends ConflictError {
  readonly file: string;
  readonly found: number;
  readonly known: number;
  constructor(file: string, found: number, known: number) {
    super(`${file} has schema version ${found}, this program knows up to ${known}: use a newer program`);
    this.file = file;
    this.found = found;
    this.known = known;
  }
}

/** Another process seals epochs of the log. */
export class SealingHeldError extends ConflictError {
  readonly folder: string;
  constructor(folder: string) {
    super(`another process seals epochs of the log (lock of ${folder})`);
    this.folder = folder;
  }
}

/** SQLite or the file system failed; `code` and `errcode` (SQLite's, or null) have the details. */
export class LogStorageError extends UnreadableLogError {
  readonly code: string;
  readonly errcode: number | null;
  constructor(message: string, code: string, errcode: number | null) {
    super(message);
    this.code = code;
    this.errcode = errcode;
  }
}

/** The thread that holds the files ended unexpectedly: this bus is unusable, its committed data is safe. */
export class BusWorkerDiedError extends DataError {
  readonly operation: string;
  readonly reason: string;
  constructor(operation: string, reason: string) {
    super(`${operation}: the thread of the embedded log died: ${reason}`);
    this.operation = operation;
    this.reason = reason;
  }
}
