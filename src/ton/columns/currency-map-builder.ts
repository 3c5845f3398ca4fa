import type { CurrencyEntries } from '../../tables/column-type.ts';
import { appendFixed } from './append-native.ts';
import type { ColumnBuilder } from './column-builder.ts';
import { GrowableBytes } from './growable-bytes.ts';
import { BigUintBuilder, NumberBuilder } from './number-builders.ts';

/** Map(UInt32, UInt256): cumulative entry counts as UInt64, then all keys, then all values. */
export class CurrencyMapBuilder implements ColumnBuilder<CurrencyEntries> {
  readonly name: string;
  readonly type: string;
  private readonly offsets = new GrowableBytes();
  private readonly keys: NumberBuilder;
  private readonly values: BigUintBuilder;

  constructor(name: string, type: string) {
    this.name = name;
    this.type = type;
    this.keys = new NumberBuilder(name, 'UInt32', { kind: 'number', width: 4, min: 0, max: 0xffffffff });
    this.values = new BigUintBuilder(name, 'UInt256', 32);
  }

  get rows(): number {
    return this.offsets.length / 8;
  }

  push(entries: CurrencyEntries): void {
    for (const [id, amount] of entries) {
      this.keys.push(id);
      this.values.push(amount);
    }
    const at = this.offsets.grow(8);
    this.offsets.view.setUint32(at, this.keys.rows, true);
    this.offsets.view.setUint32(at + 4, 0, true);
  }

  /** The ends count only the entries of the appended rows; here they continue from the earlier ones. */
  appendNative(parts: readonly Uint8Array[], rows: number): void {
    const [ends, keys, values] = parts;
    if (!ends || !keys || !values)
      throw new RangeError(`${this.name}: three parts expected, ${parts.length} given`);
    const before = this.keys.rows;
    const entries = keys.length / 4;
    this.keys.appendNative([keys], entries);
    this.values.appendNative([values], entries);
    const at = this.offsets.length;
    appendFixed(this.offsets, this.name, [ends], rows * 8);
    if (before === 0) return;
    for (let place = at; place < this.offsets.length; place += 8) {
      this.offsets.view.setUint32(place, this.offsets.view.getUint32(place, true) + before, true);
    }
  }

  parts(): Uint8Array[] {
    return [this.offsets.used(), ...this.keys.parts(), ...this.values.parts()];
  }

  reset(): void {
    this.truncate(0);
  }

  truncate(rows: number): void {
    const entries = rows === 0 ? 0 : this.offsets.view.getUint32((rows - 1) * 8, true);
    this.offsets.length = rows * 8;
    this.keys.truncate(entries);
    this.values.truncate(entries);
  }
}
