import { type FramePlace, getSum } from './frame.ts';

/** Some consecutive records of a sealed file. */
export interface ChunkPlace {
  /** Offset of the first record, and of the last one + 1. */
  readonly first: number;
  readonly next: number;
  /** Lowest and highest position of the records. */
  readonly low: number;
  readonly high: number;
  readonly facts: FramePlace;
  readonly values: FramePlace;
}

/** What a sealed file is a copy of. */
export interface SealedOrigin {
  /** Id of the log's network. */
  readonly network: string;
  readonly topic: string;
  readonly epoch: number;
  readonly lane: number;
  /** Number of the segment that was sealed. */
  readonly segment: number;
}

/** Directory at the end of a sealed file. */
export interface SealedIndex extends SealedOrigin {
  /** Form of the values; null: as they are. */
  readonly packing: string | null;
  readonly chunks: readonly ChunkPlace[];
}

/*
 * A sealed file: the magic, the frames of the chunks one after another, the index (a frame too), and the trailer:
 * length of the index after and before compression (u32), its offset (u64), the SHA-256 of these numbers and of the
 * compressed index, the magic. Numbers are little-endian.
 */

/** First and last bytes of a sealed file; the digit is the version of the format. */
export const MAGIC: Buffer = Buffer.from('tonseal1');
/** Bytes of the trailer. */
export const TRAILER_BYTES = 56;

/** Encodes the trailer for the place of the index and its compressed bytes. */
export function encodeTrailer(place: Omit<FramePlace, 'sum'>, index: Uint8Array): Uint8Array {
  const numbers = encodePlace(place);
  return Buffer.concat([numbers, Buffer.from(getSum(numbers, index), 'hex'), MAGIC]);
}

/** Numbers of the trailer, with which its checksum begins. */
export function encodePlace({ at, length, raw }: Omit<FramePlace, 'sum'>): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(length, 0);
  bytes.writeUInt32LE(raw, 4);
  bytes.writeBigUInt64LE(BigInt(at), 8);
  return bytes;
}

/** Place of the index; null if the bytes are no trailer. */
export function decodeTrailer(bytes: Buffer): FramePlace | null {
  if (bytes.length !== TRAILER_BYTES || !bytes.subarray(48).equals(MAGIC)) return null;
  return {
    length: bytes.readUInt32LE(0),
    raw: bytes.readUInt32LE(4),
    at: Number(bytes.readBigUInt64LE(8)),
    sum: bytes.toString('hex', 16, 48),
  };
}
