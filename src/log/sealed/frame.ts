import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Place of compressed bytes in a sealed file. */
export interface FramePlace {
  /** Offset in the file. */
  readonly at: number;
  /** Compressed bytes. */
  readonly length: number;
  /** Bytes before compression. */
  readonly raw: number;
  /** SHA-256 of the compressed bytes, hex. */
  readonly sum: string;
}

/** Sealed once, read seldom: higher levels gain less than 1 %. */
const LEVEL = 6;
/** Node works in pieces of 16 kB if nothing else is said. */
const MIN_PIECE = 64 << 10;

const getPiece = (bytes: number): number => Math.max(bytes, MIN_PIECE);

/** SHA-256 of bytes, hex. */
export function getSum(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

/** Compresses bytes with zstd. */
export function compressFrame(raw: Uint8Array): Uint8Array {
  return zstdCompressSync(raw, {
    chunkSize: getPiece(raw.length),
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
}

/** The bytes before compression; at most as many as announced. */
export function decompressFrame(bytes: Uint8Array, raw: number): Buffer {
  return zstdDecompressSync(bytes, { chunkSize: getPiece(raw), maxOutputLength: getPiece(raw) });
}
