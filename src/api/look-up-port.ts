import type { VisibleRange } from './version-vector.ts';

/** A row of the look-up index. */
export interface IndexedRow {
  readonly key: Uint8Array;
  /** Masterchain step of the row. */
  readonly step: number;
  /** Columns of the value as a row of RowBinary (src/tables/look-ups/look-ups.ts). */
  readonly value: Uint8Array;
}

/** Rows of a version by key, without a statement. A row that is there is right; only `covers` makes an absence certain. */
export interface LookUps {
  /** True if the version has the keys of a look-up. */
  has(lookUp: string): boolean;
  /** The row with a key of a look-up. */
  get(lookUp: string, key: Uint8Array): IndexedRow | null;
  /** Rows from `from` (inclusive) to `below` (exclusive) in the order of the keys; `isFalling`: the highest first. */
  range(
    lookUp: string,
    bounds: { readonly from: Uint8Array; readonly below: Uint8Array; readonly isFalling?: boolean },
    limit: number,
  ): readonly IndexedRow[];
  /** True if all rows of these steps are there. */
  covers(steps: VisibleRange): boolean;
  /** The lowest step from which on all rows are there up to a step; null if they are not there at that step. */
  coveredFrom(last: number): number | null;
  /** True if no step below is confirmed. */
  isLowest(step: number): boolean;
}

/** The look-up index of this process. */
export interface LookUpPort {
  /** Rows of a version by its database; null if it has none. */
  open(database: string): LookUps | null;
}
