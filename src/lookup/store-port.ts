import type { PositionRange } from '../engine/ranges/position-ranges.ts';

/** A row of a look-up. */
export interface IndexedRow {
  readonly key: Uint8Array;
  /** Masterchain step of the row. */
  readonly step: number;
  readonly value: Uint8Array;
}

/** Rows of one look-up, as the store sent them (`fill-statement.ts`). */
export interface RowsOfLookUp {
  readonly lookUp: string;
  readonly rows: Iterable<IndexedRow>;
}

/** What a file has, and up to where the store was followed. */
export interface Progress {
  /** Steps whose rows are complete. */
  readonly covered: readonly PositionRange[];
  /** Time of the newest confirmation that was followed, Unix milliseconds; 0: none. */
  readonly seenAt: number;
}

/** Rows and progress that are written together or not at all. */
export interface IndexBatch {
  /** Rows of these steps are deleted first: a repeated range is replaced. Null: the batch continues its range. */
  readonly replaces: PositionRange | null;
  readonly rows: readonly RowsOfLookUp[];
  /** Null: unchanged, because more of the range follows. */
  readonly progress: Progress | null;
}

/** Reads rows by key. */
export interface IndexReader {
  /** The row with a key; null if there is none. */
  get(lookUp: string, key: Uint8Array): IndexedRow | null;
  /** Rows with keys from `from` (inclusive) to `below` (exclusive), in the order of the bounds, at most `limit`. */
  range(lookUp: string, bounds: KeyBounds, limit: number): readonly IndexedRow[];
  close(): void;
}

/** Reads a file that another process may write, to compare it. */
export interface IndexAudit extends IndexReader {
  readonly progress: Progress;
  /** Rows of some steps. */
  count(lookUp: string, steps: PositionRange): number;
  /** Runs reads that see one state of the file. */
  snapshot<T>(read: () => T): T;
}

/** Bounds of keys: `from` is inclusive, `below` exclusive. */
export interface KeyBounds {
  readonly from: Uint8Array;
  readonly below: Uint8Array;
  /** True if the highest keys come first. Default false. */
  readonly isFalling?: boolean;
}

/** Writes rows. There is one writer. */
export interface IndexWriter extends IndexReader {
  readonly progress: Progress;
  commit(batch: IndexBatch): void;
}
