import type { RowSample } from '../versions/compare-rows.ts';
import type { SchemaChanges } from '../versions/version-schema.ts';
import type { VersionDifference } from './version-difference.ts';

/** Differences of a version from the one that was served when it was built, as its record keeps them. */
export interface StoredDifference extends SchemaChanges {
  /** The version that it was compared with. */
  readonly from: number;
  /** Tables with rows that differ. */
  readonly tables: readonly {
    readonly table: string;
    readonly added: number;
    readonly removed: number;
    readonly altered: number;
    /** Columns of altered rows by how many rows they changed in, most first. */
    readonly columns: readonly { readonly column: string; readonly rows: number }[];
    /** Some of the rows. */
    readonly examples: readonly RowSample[];
  }[];
}

/** Examples of a table, columns of an example, and characters of a value: `/healthz` shows them. */
const [MAX_EXAMPLES, MAX_COLUMNS, MAX_VALUE] = [2, 4, 100];

/** The part of a difference that a record keeps. */
export function storedDifference({ schema, changes }: VersionDifference, from: number): StoredDifference {
  return {
    from,
    ...schema,
    tables: changes.map(({ table, added, removed, altered, columns, samples }) => ({
      table,
      added,
      removed,
      altered,
      columns,
      examples: samples.slice(0, MAX_EXAMPLES).map(shortSample),
    })),
  };
}

/** The difference of a version, by the detail of its record; null until it is compared. */
export function readStoredDifference(detail: Readonly<Record<string, unknown>>): StoredDifference | null {
  return (detail.difference as StoredDifference | undefined) ?? null;
}

function shortSample({ change, key, columns }: RowSample): RowSample {
  return {
    change,
    key: Object.fromEntries(Object.entries(key).map(([name, value]) => [name, shorten(value)])),
    columns: columns.slice(0, MAX_COLUMNS).map(({ column, before, after }) => ({
      column,
      before: shorten(before),
      after: shorten(after),
    })),
  };
}

function shorten(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
}
