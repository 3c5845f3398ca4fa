import type { RegularFile } from '../../platform/files/regular-file.ts';

/** Bytes of one read of the file, if reads are close to each other. */
const WINDOW = 1 << 18;

/**
 * Reads of one file. Small reads that are close to each other share a larger one: most blocks have a few kilobytes, and a
 * read of the file costs more than its bytes.
 */
export class ForwardReader {
  readonly #file: RegularFile;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  /** Where the last read ended. */
  #last = 0;

  constructor(file: RegularFile) {
    this.#file = file;
  }

  /** Reads bytes at an offset; fewer if the file ends early. The bytes belong to the caller. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const known = this.#find(offset, length);
    const isClose = Math.abs(offset - this.#last) <= WINDOW;
    this.#last = offset + length;
    if (known) return known;
    if (!isClose || length > WINDOW / 2) return this.#file.read(offset, length);
    const bytes = await this.#file.read(offset, WINDOW);
    [this.#bytes, this.#start] = [bytes, offset];
    return bytes.slice(0, length);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #find(offset: number, length: number): Uint8Array | null {
    const from = offset - this.#start;
    const isHere = from >= 0 && from + length <= this.#bytes.length;
    return isHere ? this.#bytes.slice(from, from + length) : null;
  }
}
