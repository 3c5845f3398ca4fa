/** Reads rows of ClickHouse's RowBinary: integers little endian, strings after their LEB128 length. */
export class RowBinary {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Whether rows are left. */
  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Moves to a place, from 0. */
  to(place: number): this {
    this.#at = place;
    return this;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** An unsigned integer of `width` bytes, a multiple of four, as decimal text. */
  decimal(width: number): string {
    const at = this.#take(width);
    const used = this.#used(at, width);
    return used <= 4 ? `${this.#view.getUint32(at, true)}` : `${this.#wide(at, used)}`;
  }

  /** An unsigned integer of `width` bytes, a multiple of four. */
  bigint(width: number): bigint {
    const at = this.#take(width);
    return this.#wide(at, this.#used(at, width));
  }

  /** Its bytes up to the highest four that are not zero. */
  #used(at: number, width: number): number {
    let used = width;
    while (used > 0 && this.#view.getUint32(at + used - 4, true) === 0) used -= 4;
    return used;
  }

  #wide(at: number, used: number): bigint {
    if (used <= 8) return this.#view.getBigUint64(at, true);
    let value = 0n;
    for (let end = used; end > 0; end -= 4)
      value = (value << 32n) | BigInt(this.#view.getUint32(at + end - 4, true));
    return value;
  }

  /** `size` raw bytes: a FixedString. A view. */
  fixed(size: number): Buffer {
    const at = this.#take(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** `size` bytes of UTF-8. @throws RangeError if there are fewer */
  text(size: number): string {
    return this.exact(size).toString();
  }

  /** `size` raw bytes. A view. @throws RangeError if there are fewer */
  exact(size: number): Buffer {
    const bytes = this.fixed(size);
    if (bytes.length < size) throw new RangeError(`${size} bytes announced, ${bytes.length} present`);
    return bytes;
  }

  /** All bytes that are left. A view. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  /** A String. A view. */
  string(): Buffer {
    return this.fixed(this.length());
  }

  /** Bytes of a String, or entries of a Map: LEB128. */
  length(): number {
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = this.#view.getUint8(this.#take(1));
      length += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    return length;
  }

  #take(size: number): number {
    const at = this.#at;
    this.#at = at + size;
    return at;
  }
}
