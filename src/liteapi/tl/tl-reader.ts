import { TlError } from './tl-error.ts';

/** Largest length that a short length byte can hold is 253; 254 announces three bytes of length. */
const LONG_LENGTH = 254;

/**
 * Reads TL values one after the other. Numbers are little-endian. Byte values are views of the input.
 * Every method throws a `TlError` if the input ends too early.
 */
export class TlReader {
  private at = 0;
  private readonly bytes: Buffer;
  /** What is being read: for errors. */
  private readonly subject: string;

  constructor(bytes: Uint8Array, subject: string) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.subject = subject;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  int32(): number {
    return this.bytes.readInt32LE(this.take(4));
  }

  uint32(): number {
    return this.bytes.readUInt32LE(this.take(4));
  }

  int64(): bigint {
    return this.bytes.readBigInt64LE(this.take(8));
  }

  fixed(length: number): Uint8Array {
    const from = this.take(length);
    return this.bytes.subarray(from, from + length);
  }

  /** `bytes` and `string`: length, data, zeros up to a multiple of four. */
  data(): Uint8Array {
    const first = this.bytes[this.take(1)] as number;
    if (first > LONG_LENGTH)
      throw new TlError(this.subject, 'a length of at most 2^24 - 1', 'length byte 255');
    const head = first < LONG_LENGTH ? 1 : 4;
    const length = first < LONG_LENGTH ? first : this.bytes.readUIntLE(this.take(3), 3);
    const value = this.fixed(length);
    this.take(padding(head + length));
    return value;
  }

  /** Checks that nothing is left. */
  end(): void {
    if (this.left > 0) throw new TlError(this.subject, 'the end', `${this.left} more bytes`);
  }

  private take(length: number): number {
    if (length > this.left)
      throw new TlError(this.subject, `${length} more bytes at byte ${this.at}`, `${this.left} bytes`);
    this.at += length;
    return this.at - length;
  }
}

/** Zeros after `length` bytes up to a multiple of four. */
export function padding(length: number): number {
  return (4 - (length & 3)) & 3;
}
