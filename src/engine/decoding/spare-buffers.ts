/** Buffers that have served and serve again: memory stays flat, and fresh pages are not paid for each time. */
export class SpareBuffers {
  readonly #buffers: ArrayBuffer[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Any of them, or null. */
  take(): ArrayBuffer | null {
    return this.#buffers.pop() ?? null;
  }

  /** One of at least `size` bytes: an old one that is large enough, or a new one. */
  atLeast(size: number): ArrayBuffer {
    const found = this.#buffers.findLastIndex((buffer) => buffer.byteLength >= size);
    if (found < 0) return new ArrayBuffer(size);
    return this.#buffers.splice(found, 1)[0] as ArrayBuffer;
  }

  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength === 0) return;
    // When there are enough, the smallest is dropped.
    if (this.#buffers.length >= this.#most) {
      const least = this.#buffers.reduce((a, b) => (a.byteLength <= b.byteLength ? a : b));
      if (least.byteLength >= buffer.byteLength) return;
      this.#buffers.splice(this.#buffers.indexOf(least), 1);
    }
    this.#buffers.push(buffer);
  }
}
