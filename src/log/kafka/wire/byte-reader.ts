import { DataError } from '../../../platform/errors/error-kinds.ts';

/** Kafka's bytes came to an end within a value. */
export class TruncatedError extends DataError {
  constructor(wanted: number, at: number, length: number) {
    super(`Kafka response: expected ${wanted} bytes at ${at}, found the end at ${length}`);
  }
}

/** Reads the primitive types of Kafka's protocol: big-endian integers, and zigzag varints in records. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#take(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  /** An offset, a time or a producer's id: all of them are safe integers. */
  int64(): number {
    return Number(this.#bytes.readBigInt64BE(this.#take(8)));
  }

  string(): string {
    return this.bytes(this.int16()).toString('utf8');
  }

  /** A view, not a copy. */
  bytes(length: number): Buffer {
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  /** Zigzag: lengths, offset and time deltas. */
  varint(): number {
    const value = this.uvarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** At most 64 bits, of which 53 are used. */
  uvarint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#bytes[this.#take(1)] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 128;
    }
    return value;
  }

  /** A string of the newer requests, preceded by its length plus one, or 0 for null, which is empty here. */
  compactString(): string {
    return this.bytes(Math.max(0, this.uvarint() - 1)).toString('utf8');
  }

  /** A list of the newer requests, preceded by its length plus one, or 0 for null, which is empty here. */
  compactArray<Item>(item: () => Item): Item[] {
    return Array.from({ length: Math.max(0, this.uvarint() - 1) }, item);
  }

  /** Skips the tagged fields of newer versions: each with a number and its length. */
  skipTags(): void {
    for (let left = this.uvarint(); left > 0; left--) {
      this.uvarint();
      this.bytes(this.uvarint());
    }
  }

  /** Null if the length is −1. */
  varBytes(): Buffer | null {
    const length = this.varint();
    return length < 0 ? null : this.bytes(length);
  }

  array<Item>(item: () => Item): Item[] {
    const length = this.int32();
    return length < 0 ? [] : Array.from({ length }, item);
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw new TruncatedError(length, at, this.#bytes.length);
    this.#at = at + length;
    return at;
  }
}
