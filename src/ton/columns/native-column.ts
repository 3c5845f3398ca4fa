/** A column as ClickHouse's Native format wants it: the bytes are ready, encoding is a copy. */
export interface NativeColumn {
  readonly name: string;
  /** ClickHouse's type name. */
  readonly type: string;
  /** The column's bytes, in order. Views into the builder: valid until the next push, reset or truncate. */
  parts(): Uint8Array[];
}

/** Columns of equal length. */
export interface NativeTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly NativeColumn[];
}
