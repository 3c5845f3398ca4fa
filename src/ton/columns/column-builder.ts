import { type CurrencyEntries, type PushedValue, parseColumnType } from '../../tables/column-type.ts';
import { CurrencyMapBuilder } from './currency-map-builder.ts';
import type { NativeColumn } from './native-column.ts';
import { NullableBuilder } from './nullable-builder.ts';
import { BigUintBuilder, NumberBuilder } from './number-builders.ts';
import { FixedStringBuilder, StringBuilder } from './string-builders.ts';

/** A column under construction, held in Native form. */
export interface ColumnBuilder<V> extends NativeColumn {
  readonly rows: number;
  push(value: V): void;
  /** Appends rows that are in Native form already: `parts` as `parts()` would give them of a column of those rows. */
  appendNative(parts: readonly Uint8Array[], rows: number): void;
  /** Back to no rows; the memory stays. */
  reset(): void;
  /** Back to `rows` rows, at most as many as there are. */
  truncate(rows: number): void;
}

/** Fixed-width bytes: 32 of them from `at` on, so that hashes are copied without a view of their own. */
export interface BytesBuilder extends ColumnBuilder<Uint8Array> {
  push(value: Uint8Array, at?: number): void;
}

/** The builder of a column whose ClickHouse type is `T`. */
export type BuilderFor<T extends string> = T extends `FixedString(${string})`
  ? BytesBuilder
  : ColumnBuilder<PushedValue<T>>;

/** Makes the builder for a type name of the tables. */
export function createColumnBuilder<T extends string>(name: string, type: T): BuilderFor<T> {
  return createBuilder(name, type) as unknown as BuilderFor<T>;
}

type AnyBuilder =
  | ColumnBuilder<number | boolean>
  | ColumnBuilder<bigint>
  | ColumnBuilder<Uint8Array>
  | ColumnBuilder<CurrencyEntries>
  | NullableBuilder;

function createBuilder(name: string, type: string): AnyBuilder {
  const parsed = parseColumnType(type);
  switch (parsed.kind) {
    case 'number':
      return new NumberBuilder(name, type, parsed);
    case 'bigint':
      return new BigUintBuilder(name, type, parsed.width);
    case 'fixed':
      return new FixedStringBuilder(name, type, parsed.width);
    case 'string':
      return new StringBuilder(name, type);
    case 'map':
      return new CurrencyMapBuilder(name, type);
    case 'nullable':
      if (parsed.inner.kind === 'number')
        return new NullableBuilder(name, type, new NumberBuilder(name, type, parsed.inner), 0);
      if (parsed.inner.kind === 'bigint')
        return new NullableBuilder(name, type, new BigUintBuilder(name, type, parsed.inner.width), 0n);
      throw new TypeError(`no builder for ${type}: only numbers are nullable in the tables`);
  }
}
