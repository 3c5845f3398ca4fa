import { appendFixed } from './append-native.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { GrowableBytes } from './growable-bytes.ts';

/** Nullable(T): a byte a row (1 = null), then the values of T, with a zero in place of each null. */
export class NullableBuilder<V = unknown> implements ColumnBuilder<V | null> {
  readonly name: string;
  readonly type: string;
  private readonly nulls = new GrowableBytes();
  private readonly values: ColumnBuilder<V>;
  private readonly zero: V;

  constructor(name: string, type: string, values: ColumnBuilder<V>, zero: V) {
    this.name = name;
    this.type = type;
    this.values = values;
    this.zero = zero;
  }

  get rows(): number {
    return this.nulls.length;
  }

  push(value: V | null): void {
    this.values.push(value === null ? this.zero : value);
    const at = this.nulls.grow(1);
    this.nulls.bytes[at] = value === null ? 1 : 0;
  }

  appendNative(parts: readonly Uint8Array[], rows: number): void {
    appendFixed(this.nulls, this.name, parts.slice(0, 1), rows);
    this.values.appendNative(parts.slice(1), rows);
  }

  parts(): Uint8Array[] {
    return [this.nulls.used(), ...this.values.parts()];
  }

  reset(): void {
    this.nulls.length = 0;
    this.values.reset();
  }

  truncate(rows: number): void {
    this.nulls.length = rows;
    this.values.truncate(rows);
  }
}
