import type { Row } from './lake-server.ts';

/** Rows of a table, from the lake and from an independent reader. */
export interface Comparison {
  readonly table: string;
  /** Columns that name a row. */
  readonly key: readonly string[];
  readonly found: readonly Row[];
  readonly expected: readonly Row[];
}

/** Counts of a comparison; `examples` are for people. */
export interface Verdict {
  readonly table: string;
  readonly rows: number;
  /** Compared values. */
  readonly compared: number;
  /** Values that differ, and rows that only one side has. */
  readonly different: number;
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 5;

/** Compares the columns that the expected rows have. */
export function compareRows({ table, key, found, expected }: Comparison): Verdict {
  const name = (row: Row) => key.map((column) => String(row[column])).join(' ');
  const byKey = new Map(found.map((row) => [name(row), row]));
  // A comparison without rows proves nothing.
  const problems = found.length + expected.length === 0 ? ['the chain fills no row'] : [];
  if (byKey.size < found.length) problems.push(`${found.length - byKey.size} rows: twice in the lake`);
  let compared = 0;
  for (const wanted of expected) {
    const row = byKey.get(name(wanted));
    byKey.delete(name(wanted));
    if (!row) {
      problems.push(`${name(wanted)}: not in the lake`);
      continue;
    }
    for (const [column, value] of Object.entries(wanted)) {
      compared++;
      if (plain(row[column]) !== plain(value))
        problems.push(`${name(wanted)} ${column}: expected ${plain(value)}, found ${plain(row[column])}`);
    }
  }
  for (const left of byKey.keys()) problems.push(`${left}: only in the lake`);
  return {
    table,
    rows: found.length,
    compared,
    different: problems.length,
    examples: problems.slice(0, MAX_EXAMPLES),
  };
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
