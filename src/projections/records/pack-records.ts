import type { RowParts } from '../../engine/projection/row-set.ts';

/** Concatenates records, in `spare` if it is large enough; `sizes` has the length of each. */
export function packRecords(records: readonly Uint8Array[], spare: ArrayBuffer | null): RowParts {
  const bytes = records.reduce((sum, { length }) => sum + length, 0);
  const buffer = spare && spare.byteLength >= bytes ? spare : new ArrayBuffer(Math.max(1, bytes));
  const target = new Uint8Array(buffer);
  let at = 0;
  for (const record of records) {
    target.set(record, at);
    at += record.length;
  }
  return { buffer, rows: [records.length], sizes: Uint32Array.from(records, ({ length }) => length) };
}

/** Returns copies of the packed records. */
export function unpackRecords({ buffer, sizes }: RowParts): Uint8Array[] {
  let at = 0;
  return Array.from(sizes, (length) => {
    const record = new Uint8Array(buffer.slice(at, at + length));
    at += length;
    return record;
  });
}
