import type { NativeTable } from '../../platform/clickhouse/native-format.ts';

/** Decoded rows in a form that moves between threads: bytes in one buffer, laid out as the projection knows. */
export interface RowParts {
  /** May be larger than what is used of it. */
  readonly buffer: ArrayBuffer;
  /** Rows by table, in the projection's order. */
  readonly rows: readonly number[];
  /** Bytes by stream of the buffer. */
  readonly sizes: Uint32Array<ArrayBuffer>;
}

/** The rows of a batch under construction, by landing table. A projection makes them (`createRowSet`). */
export interface RowSet {
  readonly tables: readonly NativeTable[];
  /** Appends decoded rows; the parts do not change. */
  append(parts: RowParts): void;
  /** The last record of a step was appended. */
  endStep?(): void;
  /** Drops all rows; the memory stays. */
  reset(): void;
}
