import { closeSync, fstatSync, readSync } from 'node:fs';
import type { FramePlace } from './frame.ts';

/** Bytes of a sealed file, wherever it is. Reads are synchronous. */
export interface ByteSource {
  /** Size of the file. */
  readonly bytes: number;
  /** Bytes at an offset; fewer if the file ends before. */
  read(at: number, length: number): Buffer;
  /**
   * Announces frames that are read next, and those that are probably read after them.
   * @throws FramesNeededError if some of the first are not at hand
   */
  prepare(needed: readonly FramePlace[], later: readonly FramePlace[]): void;
  /** True if `prepare` has an effect. */
  readonly isRemote: boolean;
  close(): void;
}

/** A file on a disk. */
export class DiskBytes implements ByteSource {
  readonly bytes: number;
  readonly isRemote = false;
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
    this.bytes = fstatSync(file).size;
  }

  read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, at + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  }

  prepare(): void {}

  close(): void {
    closeSync(this.#file);
  }
}
