import { appendFixed } from './append-native.ts';
import type { BytesBuilder, ColumnBuilder } from './column-builder.ts';
import { GrowableBytes } from './growable-bytes.ts';

/** FixedString(n): raw bytes. Throws RangeError where fewer than n bytes are given. */
export class FixedStringBuilder implements BytesBuilder {
  readonly name: string;
  readonly type: string;
  private readonly width: number;
  private readonly data = new GrowableBytes();

  constructor(name: string, type: string, width: number) {
    this.name = name;
    this.type = type;
    this.width = width;
  }

  get rows(): number {
    return this.data.length / this.width;
  }

  push(value: Uint8Array, at = 0): void {
    const width = this.width;
    if (at + width > value.length) {
      throw new RangeError(`${this.name}: ${width} bytes wanted at ${at}, ${value.length} given`);
    }
    const to = this.data.grow(width);
    const bytes = this.data.bytes;
    for (let i = 0; i < width; i++) bytes[to + i] = value[at + i] as number;
  }

  appendNative(parts: readonly Uint8Array[], rows: number): void {
    appendFixed(this.data, this.name, parts, rows * this.width);
  }

  parts(): Uint8Array[] {
    return [this.data.used()];
  }

  reset(): void {
    this.data.length = 0;
  }

  truncate(rows: number): void {
    this.data.length = rows * this.width;
  }
}

/** String: length as LEB128 varint, then the bytes, row after row. */
export class StringBuilder implements ColumnBuilder<Uint8Array> {
  readonly name: string;
  readonly type: string;
  rows = 0;
  private readonly data = new GrowableBytes();

  constructor(name: string, type: string) {
    this.name = name;
    this.type = type;
  }

  push(value: Uint8Array): void {
    let length = value.length;
    while (length > 0x7f) {
      const at = this.data.grow(1);
      this.data.bytes[at] = (length & 0x7f) | 0x80;
      length >>>= 7;
    }
    const at = this.data.grow(1 + value.length);
    this.data.bytes[at] = length;
    this.data.bytes.set(value, at + 1);
    this.rows++;
  }

  /** The lengths are not read: they must be the lengths of `rows` values. */
  appendNative(parts: readonly Uint8Array[], rows: number): void {
    for (const part of parts) this.data.append(part);
    this.rows += rows;
  }

  parts(): Uint8Array[] {
    return [this.data.used()];
  }

  reset(): void {
    this.data.length = 0;
    this.rows = 0;
  }

  /** Walks the lengths from the start: rolling back is rare, and so costs nothing while pushing. */
  truncate(rows: number): void {
    let at = 0;
    for (let row = 0; row < rows; row++) {
      let length = 0;
      let shift = 0;
      for (;;) {
        const byte = this.data.bytes[at++] as number;
        length += (byte & 0x7f) * 2 ** shift;
        shift += 7;
        if (byte < 0x80) break;
      }
      at += length;
    }
    this.data.length = at;
    this.rows = rows;
  }
}
