import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { encodeChunk } from './chunk.ts';
import { compressFrame, type FramePlace, getSum } from './frame.ts';
import {
  type ChunkPlace,
  encodeTrailer,
  MAGIC,
  type SealedIndex,
  type SealedOrigin,
} from './sealed-index.ts';
import type { StoredRow } from './stored-row.ts';
import type { ValuePacking } from './value-packing.ts';

/** Writes a new sealed file from its first byte to its last. */
export class SealedWriter {
  readonly #file: number;
  readonly #packing: ValuePacking | null;
  readonly #chunks: ChunkPlace[] = [];
  #at = 0;

  /** The file must not exist. */
  constructor(path: string, packing: ValuePacking | null) {
    this.#file = openSync(path, 'wx', 0o600);
    this.#packing = packing;
    this.#write(MAGIC);
  }

  /** Adds records with consecutive offsets. */
  addChunk(rows: readonly StoredRow[]): void {
    const { facts, values } = encodeChunk(rows, this.#packing);
    const positions = rows.map(({ position }) => position);
    const first = rows[0]?.offset ?? 0;
    this.#chunks.push({
      first,
      next: first + rows.length,
      low: Math.min(...positions),
      high: Math.max(...positions),
      facts: this.#writeFrame(facts),
      values: this.#writeFrame(values),
    });
  }

  /** Adds the index and writes all to the disk. Returns the size of the file. */
  finish(origin: SealedOrigin): number {
    const index: SealedIndex = { ...origin, packing: this.#packing?.name ?? null, chunks: this.#chunks };
    const raw = Buffer.from(JSON.stringify(index));
    const bytes = compressFrame(raw);
    const place = { at: this.#at, length: bytes.length, raw: raw.length };
    this.#write(bytes);
    this.#write(encodeTrailer(place, bytes));
    fsyncSync(this.#file);
    return this.#at;
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeFrame(raw: Uint8Array): FramePlace {
    const bytes = compressFrame(raw);
    const place = { at: this.#at, length: bytes.length, raw: raw.length, sum: getSum(bytes) };
    this.#write(bytes);
    return place;
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#at + done);
    this.#at += bytes.length;
  }
}
