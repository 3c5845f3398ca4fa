import type { Packed } from '../../tables/packed.ts';
import { type PackedReader, packedReader } from '../../tables/packed-reader.ts';
import { RowBinary } from '../../tables/row-binary.ts';
import { UnknownLayoutError } from './unknown-layout.ts';

type Types = Readonly<Record<string, string>>;

/** Builds the reader of a table's payloads. It throws UnknownLayoutError for a layout that this release does not know. */
export function createPackedReader<T extends Types, Name extends keyof T & string>(
  packed: Packed<Name>,
  types: T,
): PackedReader<T, Name> {
  return packedReader(packed, types, (found) => new UnknownLayoutError(found));
}

/** Reads rows of (account, payload) in RowBinary. */
export function packedRows<T>(bytes: Buffer, read: (payload: Buffer, account: Uint8Array) => T): T[] {
  const found: T[] = [];
  for (const rows = new RowBinary(bytes); rows.more; ) {
    const account = rows.fixed(32);
    found.push(read(rows.string(), account));
  }
  return found;
}
