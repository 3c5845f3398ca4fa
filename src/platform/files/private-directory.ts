import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';

/** All rights for the owner, none for others. */
const PRIVATE = 0o700;
const OTHERS = 0o077;
/** Set on directories that are everybody's by design, as /tmp is. */
const STICKY = 0o1000;

/** The directory belongs to another user, or cannot be made private. */
export interface SharedDirectory {
  readonly directory: string;
  /** Octal, e.g. `755`. */
  readonly mode: string;
  /** User id of its owner. */
  readonly owner: number;
}

/**
 * Creates a directory that only its owner may enter, whatever the umask, with its missing parents. An existing
 * directory of this user is made private. Returns null if it is private now, else who has access: a directory of
 * another user, or one shared by design, is not changed.
 */
export function ensurePrivateDirectory(directory: string): SharedDirectory | null {
  mkdirSync(directory, { recursive: true, mode: PRIVATE });
  const found = statSync(directory);
  if ((found.mode & OTHERS) === 0) return null;
  if (isOwn(found) && (found.mode & STICKY) === 0) {
    chmodSync(directory, PRIVATE);
    // A file system without modes keeps its own.
    if ((statSync(directory).mode & OTHERS) === 0) return null;
  }
  return { directory, mode: (found.mode & 0o7777).toString(8), owner: found.uid };
}

/** Users have no ids on Windows, nor modes. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid?.() === uid;
}

/** Replaces a file as a whole; only its owner may read it, whatever it was before and whatever the umask. */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  // Flushed: a name that outlives a power cut without its contents would keep the reader from starting.
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

/** Makes a file that only its owner may open, or makes an existing one so; its contents stay. */
export function ensurePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  if ((statSync(file).mode & OTHERS) !== 0) chmodSync(file, 0o600);
}
