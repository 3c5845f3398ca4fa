/** Reads rows of ClickHouse's RowBinary: integers little endian, strings behind their length in LEB128. */
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

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  /** `size` bytes as they stand: a FixedString. A view. */
  fixed(size: number): Buffer {
    const at = this.#take(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** A String. A view. */
  string(): Buffer {
    let length = 0;
    for (let shift = 0, more = true; more; shift += 7) {
      const byte = this.#view.getUint8(this.#take(1));
      length += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    return this.fixed(length);
  }

  #take(size: number): number {
    const at = this.#at;
    this.#at = at + size;
    return at;
  }
}
