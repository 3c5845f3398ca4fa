/**
 * Moving of sealed files to another folder, which may be on another disk, or to a bucket. The log's folder `sealed` then has
 * a symbolic link, or a stub, in place of the file, so readers find it as before. Nothing is deleted before its copy was
 * written, read back and compared:
 *
 *  1. `copied`: the copy has a temporary name, and its bytes are on the disk; or it is an object.
 *  2. `compared`: it was read back, and its SHA-256 is that of the file.
 *  3. `renamed`: it has its name there, and the name is on the disk. An object has its name from the beginning.
 *  4. `linked`: the log's folder has the link or the stub. Readers change over here.
 *  5. `freed`: the file or object that was moved is deleted.
 *
 * A process that dies before 4 leaves the file as it was, and a copy that the next move replaces or takes. What is freed
 * has a note, `.old`, from before 3 until 5: the next move frees what one that died has left. An object is named after its
 * contents, so that a name never has other contents, and an upload that was finished is not repeated.
 */
import { readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { takeDirectoryLock } from '../../../platform/files/directory-lock.ts';
import { makeFolders, syncFolder } from '../../../platform/files/folders.ts';
import type { S3Settings } from '../../../platform/object-store/s3-location.ts';
import type { RequestLimits } from '../../../platform/object-store/signed-request.ts';
import { getSum } from '../../sealed/frame.ts';
import { readStub, readStubAddress, splitAddress } from '../../sealed/remote/remote-stub.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { decodeTrailer, encodePlace, TRAILER_BYTES } from '../../sealed/sealed-index.ts';
import { SealingHeldError } from '../errors.ts';
import {
  Buckets,
  currentCopy,
  deleteFreed,
  freeOld,
  linkTo,
  notedFiles,
  noteOld,
  stubTo,
} from './move-places.ts';
import { type CopySum, diskCopy, objectCopy, readExactly, type SealedCopy, sumCopy } from './sealed-copy.ts';

/** What was done; the work can be interrupted after each of them. */
export interface MoveStep {
  readonly step: 'copied' | 'compared' | 'renamed' | 'linked' | 'freed';
  readonly name: string;
  readonly bytes: number;
}

/** What happens during a move. */
export interface MoveWatch {
  readonly signal: AbortSignal;
  onStep(step: MoveStep): void;
  /** Called with the number of files to move. */
  readonly onPlan?: (files: number) => void;
  /** Called while a file is copied. */
  readonly onBytes?: (name: string, done: number, total: number) => void;
  /** Login of the buckets. */
  readonly objectStore?: S3Settings;
  readonly limits?: RequestLimits;
}

/** True for the address of a bucket. */
export const isBucket = (to: string): boolean => to.startsWith('s3://');

const NO_LOGIN: S3Settings = { s3Region: 'us-east-1' };

/** One move of all files. */
interface Move {
  readonly buckets: Buckets;
  /** Path of the folder, or address of the bucket without a slash at its end. */
  readonly to: string;
  readonly watch: MoveWatch;
}

/**
 * Moves all sealed files of a log to a folder or to `s3://bucket/prefix`. `sealed`: the folder of the log; as target, it takes
 * them back.
 * @throws SealingHeldError if another process seals or moves, SealedFileError if a copy differs, S3LocationError, ObjectStoreError,
 * ObjectRefusedError
 */
export async function moveSealed(sealed: string, to: string, watch: MoveWatch): Promise<void> {
  const buckets = new Buckets(watch.objectStore ?? NO_LOGIN, watch.limits);
  // The address and the login are checked before anything else.
  if (isBucket(to)) buckets.get(to.replace(/\/+$/, ''));
  makeFolders(sealed);
  const lock = takeDirectoryLock(sealed, 'sealing.lock');
  if (!lock) throw new SealingHeldError(sealed);
  try {
    if (!isBucket(to)) makeFolders(resolve(to));
    const target = isBucket(to) ? to.replace(/\/+$/, '') : realpathSync(to);
    for await (const step of moveFiles(sealed, { buckets, to: target, watch })) {
      watch.onStep(step);
      // Signals of the process are noticed.
      await setImmediate();
      watch.signal.throwIfAborted();
    }
  } finally {
    lock.release();
  }
}

async function* moveFiles(sealed: string, move: Move): AsyncGenerator<MoveStep, void> {
  const { buckets, watch } = move;
  const names = readdirSync(sealed).sort();
  await deleteFreed(sealed, names, buckets, watch.signal);
  for (const name of notedFiles(names)) yield* free(join(sealed, name), move);
  const paths = names.filter((one) => one.endsWith('.sealed')).map((name) => join(sealed, name));
  const moved = paths.filter((path) => !isThere(path, move.to));
  watch.onPlan?.(moved.length);
  for (const path of moved) yield* isBucket(move.to) ? moveToBucket(path, move) : moveToFolder(path, move);
}

/** True if a file is at the target already. */
function isThere(path: string, to: string): boolean {
  const address = readStubAddress(path);
  return address === null
    ? realpathSync(path) === join(to, basename(path))
    : splitAddress(address).folder === to;
}

async function* free(path: string, { buckets, watch }: Move): AsyncGenerator<MoveStep, void> {
  if (await freeOld(path, buckets, watch.signal)) yield { step: 'freed', name: basename(path), bytes: 0 };
}

async function* moveToFolder(path: string, move: Move): AsyncGenerator<MoveStep, void> {
  const { buckets, to, watch } = move;
  const name = basename(path);
  const source = await currentCopy(path, buckets);
  const target = join(to, name);
  const temporary = `${target}.tmp`;
  const done = (step: MoveStep['step']): MoveStep => ({ step, name, bytes: source.bytes });
  try {
    const sum = await copyFile(source, temporary, watch, name);
    const expected = readStub(path);
    if (expected) requireSum(source, sum, expected);
    yield done('copied');
    requireSum(await diskCopy(temporary), await sumCopy(await diskCopy(temporary), watch.signal), sum);
    yield done('compared');
    noteOld(path);
    // At home this replaces the link or the stub, and the readers change over.
    renameSync(temporary, target);
    syncFolder(to);
    yield done('renamed');
  } finally {
    rmSync(temporary, { force: true });
  }
  if (to !== realpathSync(dirname(path))) linkTo(path, target);
  yield done('linked');
  yield* free(path, move);
}

async function* moveToBucket(path: string, move: Move): AsyncGenerator<MoveStep, void> {
  const { buckets, to, watch } = move;
  const { signal } = watch;
  const name = basename(path);
  // From another bucket the way is over the disk of the log.
  if (readStub(path))
    for await (const step of moveToFolder(path, { ...move, to: realpathSync(dirname(path)) }))
      if (step.step !== 'linked') yield step;
  const source = await currentCopy(path, buckets);
  const { bytes } = source;
  const done = (step: MoveStep['step']): MoveStep => ({ step, name, bytes });
  // A file that cannot be read is not moved.
  const end = await readEnd(source);
  const sum = await sumCopy(source, signal);
  const object = `${name.slice(0, -'.sealed'.length)}-${sum.sha256.slice(0, 16)}.sealed`;
  const bucket = buckets.get(to);
  const isThereAlready = (await bucket.size(object, signal)) === bytes;
  if (!isThereAlready) await upload(source, { bucket, object, name }, watch);
  yield done('copied');
  const copy = objectCopy(bucket, `${to}/${object}`, bytes);
  let found = await sumCopy(copy, signal);
  if (isThereAlready && found.sha256 !== sum.sha256) {
    // The object of an earlier move is damaged.
    await upload(source, { bucket, object, name }, watch);
    found = await sumCopy(copy, signal);
  }
  requireSum(copy, found, sum);
  yield done('compared');
  noteOld(path);
  stubTo(path, { address: copy.address, ...sum, isOwn: true, end });
  yield done('linked');
  yield* free(path, move);
}

async function upload(
  { address, bytes }: SealedCopy,
  {
    bucket,
    object,
    name,
  }: { readonly bucket: ReturnType<Buckets['get']>; readonly object: string; readonly name: string },
  { signal, onBytes }: MoveWatch,
): Promise<void> {
  const file = await open(address, 'r');
  try {
    const input = { bytes, read: (at: number, length: number) => readExactly(file, at, length) };
    await bucket.upload(object, input, { signal, onBytes: (done) => onBytes?.(name, done, bytes) });
  } finally {
    await file.close();
  }
}

/** The index and the trailer of a sealed file. @throws SealedFileError */
async function readEnd({ address, bytes }: SealedCopy): Promise<Buffer> {
  const file = await open(address, 'r');
  try {
    const trailer = await readExactly(file, Math.max(0, bytes - TRAILER_BYTES), TRAILER_BYTES);
    const place = decodeTrailer(trailer);
    const index = place && place.length < bytes && (await readExactly(file, place.at, place.length));
    if (!place || !index || getSum(encodePlace(place), index) !== place.sum)
      throw new SealedFileError(address, 'the index and the trailer of a sealed file', 'other last bytes');
    return Buffer.concat([index, trailer]);
  } finally {
    await file.close();
  }
}

/** Copies to a file and writes it to the disk. */
async function copyFile(
  source: SealedCopy,
  to: string,
  { signal, onBytes }: MoveWatch,
  name: string,
): Promise<CopySum> {
  rmSync(to, { force: true });
  const target = await open(to, 'wx', 0o600);
  try {
    const sum = await sumCopy(source, signal, async (part, at) => {
      for (let done = 0; done < part.length; )
        done += (await target.write(part, done, part.length - done, at + done)).bytesWritten;
      onBytes?.(name, at + part.length, source.bytes);
    });
    await target.sync();
    return sum;
  } finally {
    await target.close();
  }
}

function requireSum({ address }: SealedCopy, found: CopySum, { sha256, bytes }: CopySum): void {
  if (found.sha256 !== sha256)
    throw new SealedFileError(address, `${bytes} bytes with SHA-256 ${sha256}`, found.sha256);
}
