/**
 * Reads of whole words may go this far beyond their data; every area has this much room after its end. The extra bytes
 * are masked.
 */
export const PADDING: usize = 64;

/** Growing memory outside any garbage collection. Its content moves when it grows: keep offsets, not addresses. */
@unmanaged
export class Area {
  start: usize = 0;
  length: usize = 0;
  capacity: usize = 0;

  /** Makes room for `size` more bytes and returns their start; they are not counted as used. */
  room(size: usize): usize {
    const end = this.length + size;
    if (end > this.capacity) this.grow(end);
    return this.start + this.length;
  }

  /** Counts `size` more bytes as used and gives their offset. */
  take(size: usize): usize {
    this.room(size);
    const at = this.length;
    this.length = at + size;
    return at;
  }

  push32(value: u32): void {
    store<u32>(this.room(4), value);
    this.length += 4;
  }

  /** Provides at least `size` bytes; the content is lost. */
  reserve(size: usize): usize {
    if (size > this.capacity) {
      if (this.start != 0) heap.free(this.start);
      // Without memory the next line does not return: the area must be empty then, not freed memory.
      this.start = 0;
      this.capacity = 0;
      const capacity = size + (size >> 2);
      this.start = heap.alloc(capacity + PADDING);
      this.capacity = capacity;
    }
    return this.start;
  }

  private grow(end: usize): void {
    let capacity = max<usize>(this.capacity * 2, 4096);
    while (capacity < end) capacity *= 2;
    this.start = this.start == 0 ? heap.alloc(capacity + PADDING) : heap.realloc(this.start, capacity + PADDING);
    this.capacity = capacity;
  }
}
