import { TlError } from './tl-error.ts';
import { padding } from './tl-reader.ts';

const MAX_SHORT = 253;
const MAX_LENGTH = 2 ** 24 - 1;

/** Writes TL values one after the other; the counterpart of `TlReader`. */
export class TlWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly subject: string;

  constructor(subject: string) {
    this.subject = subject;
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw new TlError(this.subject, 'a signed 32-bit number', String(value));
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeInt32LE(value);
    this.parts.push(bytes);
  }

  uint32(value: number): void {
    if (value >>> 0 !== value) throw new TlError(this.subject, 'an unsigned 32-bit number', String(value));
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeUInt32LE(value);
    this.parts.push(bytes);
  }

  /** Takes signed and unsigned numbers of 64 bits: shards and times are unsigned elsewhere. */
  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value)
      throw new TlError(this.subject, 'a 64-bit number', String(value));
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigInt64LE(BigInt.asIntN(64, value));
    this.parts.push(bytes);
  }

  fixed(value: Uint8Array, length: number): void {
    if (value.length !== length) throw new TlError(this.subject, `${length} bytes`, `${value.length} bytes`);
    this.parts.push(value);
  }

  data(value: Uint8Array): void {
    const { length } = value;
    if (length > MAX_LENGTH)
      throw new TlError(this.subject, `at most ${MAX_LENGTH} bytes`, `${length} bytes`);
    const head = Buffer.alloc(length > MAX_SHORT ? 4 : 1);
    if (length > MAX_SHORT) {
      head[0] = MAX_SHORT + 1;
      head.writeUIntLE(length, 1, 3);
    } else head[0] = length;
    this.parts.push(head, value, Buffer.alloc(padding(head.length + length)));
  }

  finish(): Buffer {
    return Buffer.concat(this.parts);
  }
}
