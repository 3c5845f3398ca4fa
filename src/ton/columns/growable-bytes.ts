/** A byte buffer that doubles; `length` bytes of it are in use. Clearing keeps the memory. */
export class GrowableBytes {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  length = 0;

  /** Default: a page, since the columns of a small batch would double eight times from a cache line on. */
  constructor(capacity = 4096) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `size` more bytes, counts them as used and returns their start. */
  grow(size: number): number {
    const at = this.length;
    const end = at + size;
    if (end > this.bytes.length) this.enlarge(end);
    this.length = end;
    return at;
  }

  /** Copies bytes to the end. */
  append(bytes: Uint8Array): void {
    const at = this.grow(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** The bytes in use: a view, valid until the next growth. */
  used(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private enlarge(needed: number): void {
    let capacity = this.bytes.length * 2;
    while (capacity < needed) capacity *= 2;
    const next = new Uint8Array(capacity);
    next.set(this.bytes.subarray(0, this.length));
    this.bytes = next;
    this.view = new DataView(next.buffer);
  }
}
