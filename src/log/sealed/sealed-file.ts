import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { SealedQuery } from '../port.ts';
import { ChunkRows } from './chunk.ts';
import { decompressFrame, type FramePlace, getSum } from './frame.ts';
import { SealedFileError } from './sealed-file-error.ts';
import {
  type ChunkPlace,
  decodeTrailer,
  encodePlace,
  MAGIC,
  type SealedIndex,
  TRAILER_BYTES,
} from './sealed-index.ts';
import type { StoredRow } from './stored-row.ts';
import type { ValuePacking } from './value-packing.ts';

/** Largest index and chunk that are read: far above those that are written. */
const MAX_RAW = 2 ** 31 - 1;
const NOTHING = new Uint8Array(0);

/** Reads a sealed file. Every byte that it returns was compared with a checksum. */
export class SealedFile {
  readonly path: string;
  readonly index: SealedIndex;
  readonly bytes: number;
  readonly #file: number;
  readonly #packing: ValuePacking | null;
  /** The latest chunk: readers go through a chunk in several reads. */
  #latest: { readonly place: ChunkPlace; readonly rows: ChunkRows } | undefined;

  private constructor(path: string, file: number, packing: ValuePacking | null) {
    this.path = path;
    this.#file = file;
    this.#packing = packing;
    this.bytes = fstatSync(file).size;
    this.index = this.#readIndex();
    const { packing: name } = this.index;
    if (name !== null && name !== packing?.name)
      throw this.#refuse(`values in a known form (${packing?.name ?? 'none'})`, `the form ${name}`);
  }

  /** @throws SealedFileError if it is torn, altered, or has values in an unknown form */
  static open(path: string, packing: ValuePacking | null): SealedFile {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new SealedFileError(path, 'a sealed file', code);
    }
    try {
      return new SealedFile(path, file, packing);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Records from one offset to before another, in order. */
  *rows(first: number, next: number, withoutValues = false): Generator<StoredRow> {
    const { chunks } = this.index;
    for (let i = findChunk(chunks, first); i < chunks.length; i++) {
      const place = chunks[i] as ChunkPlace;
      if (place.first >= next) return;
      yield* this.#readChunk(place, withoutValues).rows(first, next, withoutValues);
    }
  }

  /** Records at some positions, in order. A chunk without any is not decompressed. */
  *find(query: SealedQuery): Generator<StoredRow> {
    for (const place of this.index.chunks) {
      if (place.low > query.last || place.high < query.first) continue;
      const offsets = this.#readChunk(place, true).find(query);
      if (offsets.length === 0) continue;
      const rows = this.#readChunk(place, query.withoutValues ?? false);
      for (const offset of offsets) yield* rows.rows(offset, offset + 1, query.withoutValues);
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #readChunk(place: ChunkPlace, withoutValues: boolean): ChunkRows {
    const known = this.#latest;
    if (known?.place === place && (withoutValues || known.rows.hasValues)) return known.rows;
    try {
      const values = withoutValues ? null : this.#readFrame(place.values);
      const rows = new ChunkRows(this.#readFrame(place.facts), values, this.#packing);
      this.#latest = { place, rows };
      return rows;
    } catch (error) {
      throw error instanceof SealedFileError ? error.before(place.next) : error;
    }
  }

  #readIndex(): SealedIndex {
    const start = this.#read(0, MAGIC.length);
    if (!start.equals(MAGIC)) throw this.#refuse('a sealed file of format 1', 'other first bytes');
    const place = decodeTrailer(this.#read(Math.max(0, this.bytes - TRAILER_BYTES), TRAILER_BYTES));
    if (!place) throw this.#refuse('the trailer of a sealed file', 'other last bytes');
    return JSON.parse(this.#readFrame(place, encodePlace(place)).toString()) as SealedIndex;
  }

  /** `before`: bytes with which the checksum begins. */
  #readFrame({ at, length, raw, sum }: FramePlace, before: Uint8Array = NOTHING): Buffer {
    const where = `${length} bytes at ${at}`;
    if (at + length > this.bytes || raw > MAX_RAW) throw this.#refuse(where, `a file of ${this.bytes} bytes`);
    const bytes = this.#read(at, length);
    const found = getSum(before, bytes);
    if (found !== sum) throw this.#refuse(`${where} with SHA-256 ${sum}`, found);
    return decompressFrame(bytes, raw);
  }

  #read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    let done = 0;
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, at + done);
      if (count === 0) throw this.#refuse(`${length} bytes at ${at}`, `${done} bytes`);
      done += count;
    }
    return bytes;
  }

  #refuse(expected: string, found: string): SealedFileError {
    return new SealedFileError(this.path, expected, found);
  }
}

/** Index of the first chunk that ends after an offset. */
function findChunk(chunks: readonly ChunkPlace[], offset: number): number {
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] as ChunkPlace).next <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
