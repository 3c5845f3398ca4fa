import { existsSync, lstatSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../../platform/files/folders.ts';
import { Bucket } from '../../../platform/object-store/bucket.ts';
import type { S3Settings } from '../../../platform/object-store/s3-location.ts';
import type { RequestLimits } from '../../../platform/object-store/signed-request.ts';
import { type RemoteStub, readStub, splitAddress, writeStub } from '../../sealed/remote/remote-stub.ts';
import { SealedFileError } from '../../sealed/sealed-file-error.ts';
import { FREED } from '../../sealed/sealed-files.ts';
import { diskCopy, objectCopy, type SealedCopy } from './sealed-copy.ts';

/** Added to the name of a file: where it was before a move, a link or a stub. */
const OLD = '.old';

/** Opens buckets by their addresses. */
export class Buckets {
  readonly #settings: S3Settings;
  readonly #limits: RequestLimits | undefined;
  readonly #open = new Map<string, Bucket>();

  constructor(settings: S3Settings, limits?: RequestLimits) {
    this.#settings = settings;
    this.#limits = limits;
  }

  /** @throws S3LocationError if the address, or the login, cannot be used */
  get(address: string): Bucket {
    const known = this.#open.get(address) ?? Bucket.open(address, this.#settings, '--to', this.#limits);
    this.#open.set(address, known);
    return known;
  }

  /** The object of a stub. */
  copy({ address, bytes }: Pick<RemoteStub, 'address' | 'bytes'>): SealedCopy {
    return objectCopy(this.get(splitAddress(address).folder), address, bytes);
  }
}

/** Where the log finds a sealed file now. */
export async function currentCopy(path: string, buckets: Buckets): Promise<SealedCopy> {
  const stub = readStub(path);
  return stub ? buckets.copy(stub) : diskCopy(realpathSync(path));
}

/** Notes which copy a move will free; the log's own file needs no note, since its name is replaced. */
export function noteOld(path: string): void {
  const stub = readStub(path);
  const source = realpathSync(path);
  if (!stub && source === join(realpathSync(dirname(path)), basename(path))) return;
  const note = `${path}${OLD}`;
  rmSync(note, { force: true });
  if (stub) writeStub(note, stub);
  else symlinkSync(source, note);
  syncFolder(dirname(path));
}

/** Deletes the copy that a move has replaced, if one is noted. What is read instead exists. True if something was freed. */
export async function freeOld(path: string, buckets: Buckets, signal: AbortSignal): Promise<boolean> {
  const note = `${path}${OLD}`;
  const found = lstatSync(note, { throwIfNoEntry: false });
  if (!found || !existsSync(path)) return false;
  const isReplaced = found.isSymbolicLink()
    ? freeFile(path, readlinkSync(note))
    : await freeObject(path, { note, buckets, signal });
  rmSync(note);
  syncFolder(dirname(path));
  return isReplaced;
}

function freeFile(path: string, source: string): boolean {
  if (source === realpathSync(path)) return false;
  if (existsSync(source)) {
    rmSync(source);
    syncFolder(dirname(source));
  }
  return true;
}

interface FreedObject {
  /** Path of its stub. */
  readonly note: string;
  readonly buckets: Buckets;
  readonly signal: AbortSignal;
}

async function freeObject(path: string, { note, buckets, signal }: FreedObject): Promise<boolean> {
  const old = readStub(note);
  if (!old || readStub(path)?.address === old.address) return false;
  if (old.isOwn) await buckets.copy(old).delete(signal);
  return true;
}

/** Deletes the objects of freed epochs. */
export async function deleteFreed(
  folder: string,
  names: readonly string[],
  buckets: Buckets,
  signal: AbortSignal,
): Promise<void> {
  for (const name of names.filter((one) => one.endsWith(`.sealed${FREED}`))) {
    const stub = readStub(join(folder, name));
    if (stub?.isOwn) await buckets.copy(stub).delete(signal);
    rmSync(join(folder, name));
  }
}

/** Names of the files whose former copies were noted. */
export function notedFiles(names: readonly string[]): readonly string[] {
  return names.filter((one) => one.endsWith(`.sealed${OLD}`)).map((one) => one.slice(0, -OLD.length));
}

/** Replaces a file, a link or a stub by a link, at once. */
export function linkTo(path: string, target: string): void {
  const link = `${path}.link`;
  rmSync(link, { force: true });
  symlinkSync(target, link);
  renameSync(link, path);
  syncFolder(dirname(path));
  if (!lstatSync(path).isSymbolicLink()) throw new SealedFileError(path, `a link to ${target}`, 'a file');
}

/** Replaces a file or a link by a stub, at once. */
export function stubTo(path: string, stub: RemoteStub): void {
  const temporary = `${path}.link`;
  rmSync(temporary, { force: true });
  writeStub(temporary, stub);
  renameSync(temporary, path);
  syncFolder(dirname(path));
}
