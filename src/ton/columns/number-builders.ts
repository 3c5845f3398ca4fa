import type { NumberType } from '../../tables/column-type.ts';
import { appendFixed } from './append-native.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { GrowableBytes } from './growable-bytes.ts';

const MASK_64 = (1n << 64n) - 1n;

/** Integers of up to 32 bits, Bool and Enum8 codes, little endian. Throws RangeError for a value that does not fit. */
export class NumberBuilder implements ColumnBuilder<number | boolean> {
  readonly name: string;
  readonly type: string;
  private readonly shape: NumberType;
  private readonly data = new GrowableBytes();

  constructor(name: string, type: string, shape: NumberType) {
    this.name = name;
    this.type = type;
    this.shape = shape;
  }

  get rows(): number {
    return this.data.length / this.shape.width;
  }

  push(value: number | boolean): void {
    const { width, min, max } = this.shape;
    const number = Number(value);
    if (!(number >= min && number <= max && Number.isInteger(number))) {
      throw new RangeError(`${this.name}: ${value} is not a ${this.type}`);
    }
    const at = this.data.grow(width);
    if (width === 1) this.data.bytes[at] = number;
    else if (width === 2) this.data.view.setUint16(at, number, true);
    else this.data.view.setUint32(at, number, true);
  }

  appendNative(parts: readonly Uint8Array[], rows: number): void {
    appendFixed(this.data, this.name, parts, rows * this.shape.width);
  }

  parts(): Uint8Array[] {
    return [this.data.used()];
  }

  reset(): void {
    this.data.length = 0;
  }

  truncate(rows: number): void {
    this.data.length = rows * this.shape.width;
  }
}

/** UInt64, UInt128 and UInt256, little endian. Throws RangeError for a value that does not fit. */
export class BigUintBuilder implements ColumnBuilder<bigint> {
  readonly name: string;
  readonly type: string;
  private readonly width: number;
  private readonly limit: bigint;
  private readonly data = new GrowableBytes();

  constructor(name: string, type: string, width: 8 | 16 | 32) {
    this.name = name;
    this.type = type;
    this.width = width;
    this.limit = 1n << BigInt(width * 8);
  }

  get rows(): number {
    return this.data.length / this.width;
  }

  push(value: bigint): void {
    if (value < 0n || value >= this.limit)
      throw new RangeError(`${this.name}: ${value} is not a ${this.type}`);
    const at = this.data.grow(this.width);
    const view = this.data.view;
    let rest = value;
    for (let offset = 0; offset < this.width; offset += 8) {
      view.setBigUint64(at + offset, rest & MASK_64, true);
      rest >>= 64n;
    }
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
