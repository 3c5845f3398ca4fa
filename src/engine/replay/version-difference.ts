import { printable } from '../../platform/observability/printable.ts';
import type { VersionPair, VersionSums } from '../projection/version-pair.ts';
import { intersectRanges } from '../ranges/position-ranges.ts';
import { countedTargets } from '../sink/sink-definition.ts';
import { compareRows, type RowChanges } from '../versions/compare-rows.ts';
import { differingEpochs } from '../versions/epoch-sums.ts';
import { readTables, type SchemaChanges, schemaChanges } from '../versions/version-schema.ts';

/** Differences of a version. */
export interface VersionDifference {
  /** Tables and columns. */
  readonly schema: SchemaChanges;
  /** Rows by table, of tables and columns that both versions have; without tables whose checksums agree in every epoch. */
  readonly changes: readonly RowChanges[];
}

/** Differences of a version in its tables and rows. */
export async function versionDifference(
  { client, projection, from, to, ranges, epochSize }: VersionPair,
  sums: VersionSums,
): Promise<VersionDifference> {
  const schema = schemaChanges(await readTables(client, from), await readTables(client, to));
  const changes: RowChanges[] = [];
  for (const { table, key, packed = [] } of countedTargets(projection.sink)) {
    if (!key || schema.addedTables.includes(table)) continue;
    const pair = sums.get(table);
    const epochs = pair ? differingEpochs(pair.old, pair.next) : [];
    if (epochs.length === 0) continue;
    const differing = epochs.map((epoch) => ({
      first: epoch * epochSize,
      last: (epoch + 1) * epochSize - 1,
    }));
    const scope = { table, key, packed, ranges: intersectRanges(ranges, differing) };
    changes.push(await compareRows(client, { from, to }, scope));
  }
  return { schema, changes };
}

/** Names of what only one of two versions has, one line a kind. */
function schemaLines({ addedTables, removedTables, addedColumns, removedColumns }: SchemaChanges): string[] {
  const kinds = [
    ['tables added', addedTables],
    ['tables removed', removedTables],
    ['columns added', addedColumns],
    ['columns removed', removedColumns],
  ] as const;
  return kinds
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind.padEnd(16)} ${names.join(', ')}`);
}

/** The difference for people. */
export function differenceText({ schema, changes }: VersionDifference): string {
  const named = schemaLines(schema);
  if (changes.length === 0) return [...named, 'no row differs', ''].join('\n');
  const lines = [...named, 'table                   added      removed      altered  columns'];
  for (const { table, added, removed, altered, columns } of changes) {
    const counts = [added, removed, altered].map((count) => String(count).padStart(12)).join(' ');
    const names = columns.map(({ column, rows }) => `${column} (${rows})`).join(', ');
    lines.push(`${table.padEnd(16)} ${counts}  ${names}`.trimEnd());
  }
  for (const { table, samples } of changes) {
    for (const { change, key, columns } of samples) {
      const name = Object.entries(key).map(([column, value]) => `${column}=${value}`);
      const values = columns.map(({ column, before, after }) => `${column}: ${before} -> ${after}`);
      lines.push(printable(`  ${change} ${table} ${[...name, ...values].join(' ')}`));
    }
  }
  return `${lines.join('\n')}\n`;
}
