import { openSync, realpathSync } from 'node:fs';
import type { SealedQuery } from '../port.ts';
import { type ByteSource, DiskBytes } from './byte-source.ts';
import { ChunkRows } from './chunk.ts';
import { decompressFrame, type FramePlace, getSum } from './frame.ts';
import { RemoteBytes } from './remote/remote-bytes.ts';
import type { RemoteFrames } from './remote/remote-frames.ts';
import { readStub } from './remote/remote-stub.ts';
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
/** Bytes of later chunks that are announced together. */
const AHEAD_BYTES = 8 << 20;
const AHEAD_CHUNKS = 32;

/** How a sealed file is read. */
export interface SealedReading {
  readonly packing: ValuePacking | null;
  /** Reads files in buckets. Default: they are refused. */
  readonly frames?: RemoteFrames | null;
  /** Added to the offsets of the file: of one that was sealed by another log. Default: 0. */
  readonly shift?: number;
}

/** Reads a sealed file. Every byte that it returns was compared with a checksum. */
export class SealedFile {
  readonly path: string;
  /** Its chunks have the offsets of the log that reads it. */
  readonly index: SealedIndex;
  readonly bytes: number;
  readonly #source: ByteSource;
  readonly #packing: ValuePacking | null;
  readonly #shift: number;
  /** The latest chunk: readers go through a chunk in several reads. */
  #latest: { readonly place: ChunkPlace; readonly rows: ChunkRows } | undefined;

  private constructor(path: string, source: ByteSource, { packing, shift = 0 }: SealedReading) {
    this.path = path;
    this.#source = source;
    this.#packing = packing;
    this.#shift = shift;
    this.bytes = source.bytes;
    this.index = this.#readIndex();
    const { packing: name } = this.index;
    if (name !== null && name !== packing?.name)
      throw this.#refuse(`values in a known form (${packing?.name ?? 'none'})`, `the form ${name}`);
  }

  /**
   * Opens a file on a disk, or one in a bucket by its stub.
   * @throws SealedFileError if it is torn, altered, or has values in an unknown form
   */
  static open(path: string, reading: SealedReading): SealedFile {
    const source = openSource(path, reading.frames ?? null);
    try {
      return new SealedFile(path, source, reading);
    } catch (error) {
      source.close();
      throw error;
    }
  }

  /** Records from one offset to before another, in order. */
  *rows(first: number, next: number, withoutValues = false): Generator<StoredRow> {
    const { chunks } = this.index;
    for (let i = findChunk(chunks, first); i < chunks.length; i++) {
      const place = chunks[i] as ChunkPlace;
      if (place.first >= next) return;
      this.#prepare(place, {
        from: i + 1,
        isWanted: (one) => one.first < next,
        withoutValues,
        areCertain: false,
      });
      yield* this.#readChunk(place, withoutValues).rows(first, next, withoutValues);
    }
  }

  /** Records at some positions, in order. A chunk without any is not decompressed. */
  *find(query: SealedQuery): Generator<StoredRow> {
    const { withoutValues = false } = query;
    const isWanted = ({ low, high }: ChunkPlace) => low <= query.last && high >= query.first;
    for (const [i, place] of this.index.chunks.entries()) {
      if (!isWanted(place)) continue;
      this.#prepare(place, { from: i + 1, isWanted, withoutValues, areCertain: true });
      const offsets = this.#readChunk(place, true).find(query);
      if (offsets.length === 0) continue;
      const rows = this.#readChunk(place, withoutValues);
      for (const offset of offsets) yield* rows.rows(offset, offset + 1, withoutValues);
    }
  }

  /** SHA-256 of the index, hex. The index has the checksums of all chunks: files with other records have another. */
  get sum(): string {
    return this.#readTrailer().sum;
  }

  close(): void {
    this.#source.close();
  }

  /** Announces a chunk, and those after it that are wanted too. */
  #prepare(place: ChunkPlace, { from, isWanted, withoutValues, areCertain }: Ahead): void {
    if (!this.#source.isRemote || this.#isLatest(place, withoutValues)) return;
    const later: FramePlace[] = [];
    const { chunks } = this.index;
    let bytes = 0;
    for (let i = from; i < chunks.length && i - from < AHEAD_CHUNKS && bytes < AHEAD_BYTES; i++) {
      const one = chunks[i] as ChunkPlace;
      if (!isWanted(one)) break;
      const frames = getFrames(one, withoutValues);
      later.push(...frames);
      bytes += frames.reduce((sum, { length }) => sum + length, 0);
    }
    const needed = getFrames(place, withoutValues);
    try {
      if (areCertain) this.#source.prepare([...needed, ...later], []);
      else this.#source.prepare(needed, later);
    } catch (error) {
      throw error instanceof SealedFileError ? error.before(place.next) : error;
    }
  }

  #readChunk(place: ChunkPlace, withoutValues: boolean): ChunkRows {
    if (this.#latest && this.#isLatest(place, withoutValues)) return this.#latest.rows;
    try {
      const values = withoutValues ? null : this.#readFrame(place.values);
      const rows = new ChunkRows(this.#readFrame(place.facts), values, this.#packing, this.#shift);
      this.#latest = { place, rows };
      return rows;
    } catch (error) {
      throw error instanceof SealedFileError ? error.before(place.next) : error;
    }
  }

  #isLatest(place: ChunkPlace, withoutValues: boolean): boolean {
    const { place: known, rows } = this.#latest ?? {};
    return known === place && (withoutValues || (rows?.hasValues ?? false));
  }

  #readIndex(): SealedIndex {
    const start = this.#read(0, MAGIC.length);
    if (!start.equals(MAGIC)) throw this.#refuse('a sealed file of format 1', 'other first bytes');
    const place = this.#readTrailer();
    const stored = JSON.parse(this.#readFrame(place, encodePlace(place)).toString()) as SealedIndex;
    const chunks = stored.chunks.map((chunk) => ({
      ...chunk,
      first: chunk.first + this.#shift,
      next: chunk.next + this.#shift,
    }));
    return { ...stored, chunks };
  }

  #readTrailer(): FramePlace {
    const place = decodeTrailer(this.#read(Math.max(0, this.bytes - TRAILER_BYTES), TRAILER_BYTES));
    if (!place) throw this.#refuse('the trailer of a sealed file', 'other last bytes');
    return place;
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
    const bytes = this.#source.read(at, length);
    if (bytes.length < length) throw this.#refuse(`${length} bytes at ${at}`, `${bytes.length} bytes`);
    return bytes;
  }

  #refuse(expected: string, found: string): SealedFileError {
    return new SealedFileError(this.path, expected, found);
  }
}

/** Chunks that are read after one. */
interface Ahead {
  /** Number of the next chunk. */
  readonly from: number;
  readonly isWanted: (place: ChunkPlace) => boolean;
  readonly withoutValues: boolean;
  /** True if they are read in any case; false if the reader may stop before. */
  readonly areCertain: boolean;
}

const getFrames = ({ facts, values }: ChunkPlace, withoutValues: boolean): FramePlace[] =>
  withoutValues ? [facts] : [facts, values];

function openSource(path: string, frames: RemoteFrames | null): ByteSource {
  try {
    const stub = readStub(realpathSync(path));
    if (!stub) return new DiskBytes(openSync(path, 'r'));
    if (frames) return new RemoteBytes(path, stub, frames);
    throw new SealedFileError(path, 'a file on a disk', stub.address);
  } catch (error) {
    if (error instanceof SealedFileError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new SealedFileError(path, 'a sealed file', code);
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
