import type { TableView } from '../../ton/kernel/table-view.ts';

/** Walks the values of a String column from the first row on: each position follows from the values before it. */
export class StringCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(view: TableView, column: string) {
    this.#bytes = view.streams(column)[0] as Buffer;
  }

  /** The next row's value; a view. */
  next(): Buffer {
    let length = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] as number;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
    }
    const at = this.#at;
    this.#at += length;
    return this.#bytes.subarray(at, this.#at);
  }
}

/** 32 bytes of a row; a view. */
export function hashAt(view: TableView, column: string, row: number): Buffer {
  return (view.streams(column)[0] as Buffer).subarray(row * 32, row * 32 + 32);
}
