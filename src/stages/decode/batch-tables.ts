import type { NativeColumn, NativeTable } from '../../platform/clickhouse/native-format.ts';
import { ALL_TABLES, STREAM_COUNT, type StreamedColumn } from '../../ton/kernel/column-streams.ts';
import { type NativeParts, streamOffsets } from '../../ton/kernel/native-parts.ts';

/** The landing tables of a batch, put together from the rows of its chunks without copying them. */
export class BatchTables {
  /** By stream, the bytes of one chunk after the other. */
  readonly #streams: Uint8Array[][] = Array.from({ length: STREAM_COUNT }, () => []);
  readonly #rows: number[] = ALL_TABLES.map(() => 0);
  /** By stream of ends, the entries so far. */
  readonly #entries = new Map<number, number>();

  /** Appends the rows; their memory must stay as it is while the tables are in use. */
  add({ buffer, rows, sizes }: NativeParts): void {
    const offsets = streamOffsets(sizes);
    for (const [table, { columns }] of ALL_TABLES.entries()) {
      const added = rows[table] as number;
      if (added === 0) continue;
      this.#rows[table] = (this.#rows[table] as number) + added;
      for (const column of columns) {
        for (let i = column.first; i < column.first + column.streams.length; i++) {
          const bytes = new Uint8Array(buffer, offsets[i], sizes[i]);
          const isEnds = column.kind === 'map' && i === column.first;
          if (bytes.length > 0) this.#streams[i]?.push(isEnds ? this.#endsBehind(i, bytes) : bytes);
        }
      }
    }
  }

  /** Those that have rows. */
  tables(): NativeTable[] {
    const made = ALL_TABLES.map(({ name, columns }, table) => ({
      name,
      rows: this.#rows[table] as number,
      columns: columns.map((column) => this.#column(column)),
    }));
    return made.filter(({ rows }) => rows > 0);
  }

  #column({ name, type, first, streams }: StreamedColumn): NativeColumn {
    return { name, type, parts: () => this.#streams.slice(first, first + streams.length).flat() };
  }

  /** A map's ends count the entries of their chunk alone; those of the whole column go on from chunk to chunk. */
  #endsBehind(stream: number, ends: Uint8Array): Uint8Array {
    const before = this.#entries.get(stream) ?? 0;
    const view = new DataView(ends.buffer, ends.byteOffset, ends.length);
    this.#entries.set(stream, before + Number(view.getBigUint64(ends.length - 8, true)));
    if (before === 0) return ends;
    const moved = new BigUint64Array(ends.length / 8);
    for (let i = 0; i < moved.length; i++) moved[i] = view.getBigUint64(i * 8, true) + BigInt(before);
    return new Uint8Array(moved.buffer);
  }
}
