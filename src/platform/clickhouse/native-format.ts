/**
 * ClickHouse's Native format over HTTP (without a leading revision): a stream of blocks, each
 *
 *   columns: VarUInt, rows: VarUInt, then per column: name: String, type: String, data
 *
 * where String is VarUInt length + bytes. A column's data is its values in sequence, little-endian. String values carry
 * a VarUInt length; Nullable(T) is one byte a row (1 = NULL), then T's data with any value in the NULL places; Map(K,
 * V) is one UInt64 a row (end offset of the row's pairs), then all keys, then all values; Enum8 and Bool are one byte.
 *
 * Source: ClickHouse src/Formats/NativeWriter.cpp at revision 0; checked by a round trip through the server.
 */

/** One column: its data in parts, which together are the bytes described above. */
export interface NativeColumn {
  readonly name: string;
  /** ClickHouse's name of the type. */
  readonly type: string;
  parts(): readonly Uint8Array[];
}

/** A batch of rows of one table, by column. */
export interface NativeTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly NativeColumn[];
}

/** Parts up to this size are copied together: a stream of tiny chunks costs more than the copy. */
const COALESCE_BYTES = 64 * 1024;

/** LEB128, as ClickHouse writes lengths and counts. */
export function varUint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not a count: ${value}`);
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function nativeString(text: string): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  return [varUint(bytes.length), bytes];
}

/** The block's bytes in order, without copying the columns. An empty table gives a block of no rows. */
export function* nativeBlockParts(table: NativeTable): Generator<Uint8Array> {
  yield varUint(table.columns.length);
  yield varUint(table.rows);
  for (const column of table.columns) {
    yield* nativeString(column.name);
    yield* nativeString(column.type);
    yield* column.parts();
  }
}

/** Yields the block in chunks for sending: small parts joined, large ones unchanged. */
export function* encodeNativeBlock(table: NativeTable): Generator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for (const part of nativeBlockParts(table)) {
    if (part.length === 0) continue;
    if (size > 0 && size + part.length > COALESCE_BYTES) {
      yield Buffer.concat(pending, size);
      pending = [];
      size = 0;
    }
    if (part.length > COALESCE_BYTES) yield part;
    else {
      pending.push(part);
      size += part.length;
    }
  }
  if (size > 0) yield Buffer.concat(pending, size);
}
