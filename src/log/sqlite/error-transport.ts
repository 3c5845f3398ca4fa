import {
  ObjectMissingError,
  ObjectRefusedError,
  ObjectStoreError,
} from '../../platform/object-store/object-store-error.ts';
import { S3LocationError } from '../../platform/object-store/s3-location.ts';
import { FencedError, IdentityMismatchError, LeaseHeldError } from '../errors.ts';
import { SealedFileError } from '../sealed/sealed-file-error.ts';
import {
  InvalidRequestError,
  JournalConflictError,
  LogDirectoryError,
  LogNotEstablishedError,
  LogStorageError,
  NewerLogFileError,
  NotALogFileError,
  SealingHeldError,
  SegmentMissingError,
} from './errors.ts';
import type { ErrorFacts } from './operations.ts';

/** Every class that a call of the port may reject with; the worker's errors become these again. */
const CLASSES: readonly (abstract new (...facts: never[]) => Error)[] = [
  FencedError,
  IdentityMismatchError,
  LeaseHeldError,
  InvalidRequestError,
  JournalConflictError,
  LogDirectoryError,
  LogNotEstablishedError,
  LogStorageError,
  NewerLogFileError,
  NotALogFileError,
  ObjectMissingError,
  ObjectRefusedError,
  ObjectStoreError,
  S3LocationError,
  SealedFileError,
  SealingHeldError,
  SegmentMissingError,
];

/** The facts of an error; what is not of a known class is a failure of SQLite or of the file system. */
export function toFacts(error: unknown): ErrorFacts {
  const known = error instanceof Error && CLASSES.some((type) => error instanceof type);
  const reported = known ? error : storageError(error);
  const { name, message, stack = '', ...fields } = reported as Error & Record<string, unknown>;
  return { name, message, stack, fields };
}

function storageError(error: unknown): LogStorageError {
  if (!(error instanceof Error)) return new LogStorageError(String(error), 'unknown', null);
  const code = 'code' in error ? String(error.code) : error.name;
  const errcode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
  const wrapped = new LogStorageError(error.message, code, errcode);
  if (error.stack) wrapped.stack = error.stack;
  return wrapped;
}

/** The error again, of its own class and with its fields. */
export function fromFacts({ name, message, stack, fields }: ErrorFacts): Error {
  const type = CLASSES.find((candidate) => candidate.name === name);
  const error: Error = Object.create(type?.prototype ?? Error.prototype);
  const hidden = { message, stack };
  for (const [key, value] of Object.entries(hidden))
    Object.defineProperty(error, key, { value, writable: true, configurable: true, enumerable: false });
  return Object.assign(error, { name }, fields);
}
