import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { FileTooLargeError, NotRegularFileError, nameFileType } from './file-errors.ts';
import { untilAborted } from './until-aborted.ts';

/** The open of a FIFO waits for a writer without O_NONBLOCK, and that of a terminal takes it over without O_NOCTTY. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** A stop signal is looked at between chunks. */
const CHUNK = 1 << 22;
const PIECE = 1 << 16;

/** Limits of a read. */
export interface ReadLimits {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A regular file, or a link to one, that is open for reading. This is the only way in which files are opened whose paths an
 * operator gives. FIFOs, devices, sockets and folders are refused before they are opened, since the open itself may wait
 * or act (a watchdog, a tape), and again after it, since the path may have been replaced in between.
 */
export class RegularFile implements AsyncDisposable {
  readonly path: string;
  /** Bytes when the file was opened. */
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #signal: AbortSignal | undefined;

  private constructor(path: string, size: number, handle: FileHandle, signal: AbortSignal | undefined) {
    this.path = path;
    this.size = size;
    this.#handle = handle;
    this.#signal = signal;
  }

  /**
   * @param signal ends the open and every read, even if the file system does not answer; they reject with its reason
   * @throws NotRegularFileError, and the errors of the system
   */
  static async open(path: string, signal?: AbortSignal): Promise<RegularFile> {
    refuseOthers(path, await untilAborted(stat(path), signal));
    const opening = open(path, FLAGS);
    const handle = await untilAborted(opening, signal).catch((error) => {
      opening.then(closeLater, () => {});
      throw error;
    });
    try {
      const found = await untilAborted(handle.stat(), signal);
      refuseOthers(path, found);
      return new RegularFile(path, found.size, handle, signal);
    } catch (error) {
      closeLater(handle);
      throw error;
    }
  }

  /** Reads the bytes at a place; fewer if the file ends before. */
  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < bytes.length) {
      const wanted = Math.min(CHUNK, bytes.length - done);
      const reading = this.#handle.read(bytes, done, wanted, position + done);
      const { bytesRead } = await untilAborted(reading, this.#signal);
      if (bytesRead === 0) return bytes.subarray(0, done);
      done += bytesRead;
    }
    return bytes;
  }

  /** The file in pieces, up to the size that it had when it was opened. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < this.size; ) {
      const piece = await this.read(at, Math.min(PIECE, this.size - at));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  /** Resolves when the file is closed; at once after a stop signal, since the close may wait for a read. */
  async close(): Promise<void> {
    if (this.#signal?.aborted) closeLater(this.#handle);
    else await this.#handle.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Reads a whole regular file: up to the size that it has when it is opened.
 * @throws NotRegularFileError, FileTooLargeError, and the errors of the system
 */
export async function readRegularFile(
  path: string,
  { maxBytes, signal }: ReadLimits,
): Promise<Uint8Array<ArrayBufferLike>> {
  await using file = await RegularFile.open(path, signal);
  if (file.size > maxBytes) throw new FileTooLargeError(path, file.size, maxBytes);
  return file.read(0, file.size);
}

/**
 * Reads a small file (a certificate, a schema) without giving way to other work.
 * @throws as readRegularFile
 */
export function readSmallFile(path: string, maxBytes: number): Buffer {
  refuseOthers(path, statSync(path));
  const file = openSync(path, FLAGS);
  try {
    const found = fstatSync(file);
    refuseOthers(path, found);
    if (found.size > maxBytes) throw new FileTooLargeError(path, found.size, maxBytes);
    const bytes = Buffer.alloc(found.size);
    let done = 0;
    for (let read = -1; done < bytes.length && read !== 0; done += read)
      read = readSync(file, bytes, done, bytes.length - done, done);
    return bytes.subarray(0, done);
  } finally {
    closeSync(file);
  }
}

function refuseOthers(path: string, found: Stats): void {
  if (!found.isFile()) throw new NotRegularFileError(path, nameFileType(found));
}

function closeLater(handle: FileHandle): void {
  handle.close().catch(() => {});
}
