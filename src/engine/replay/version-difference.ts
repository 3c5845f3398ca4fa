import type { VersionPair, VersionSums } from '../projection/version-pair.ts';
import { intersectRanges } from '../ranges/position-ranges.ts';
import { countedTargets } from '../sink/sink-definition.ts';
import { compareRows, type RowChanges } from '../versions/compare-rows.ts';
import { differingEpochs } from '../versions/epoch-sums.ts';

/** What a version changes, by table; tables whose checksums agree in every epoch are not among them. */
export async function versionDifference(
  { client, projection, from, to, ranges, epochSize }: VersionPair,
  sums: VersionSums,
): Promise<readonly RowChanges[]> {
  const changes: RowChanges[] = [];
  for (const { table, key } of countedTargets(projection.sink)) {
    if (!key) continue;
    const pair = sums.get(table);
    const epochs = pair ? differingEpochs(pair.old, pair.next) : [];
    if (epochs.length === 0) continue;
    const differing = epochs.map((epoch) => ({
      first: epoch * epochSize,
      last: (epoch + 1) * epochSize - 1,
    }));
    const scope = { table, key, ranges: intersectRanges(ranges, differing) };
    changes.push(await compareRows(client, { from, to }, scope));
  }
  return changes;
}

/** The difference for people. */
export function differenceText(changes: readonly RowChanges[]): string {
  if (changes.length === 0) return 'no row differs\n';
  const lines = ['table                   added      removed      altered  columns'];
  for (const { table, added, removed, altered, columns } of changes) {
    const counts = [added, removed, altered].map((count) => String(count).padStart(12)).join(' ');
    const names = columns.map(({ column, rows }) => `${column} (${rows})`).join(', ');
    lines.push(`${table.padEnd(16)} ${counts}  ${names}`.trimEnd());
  }
  for (const { table, samples } of changes) {
    for (const { change, key, columns } of samples) {
      const name = Object.entries(key).map(([column, value]) => `${column}=${value}`);
      const values = columns.map(({ column, before, after }) => `${column}: ${before} -> ${after}`);
      lines.push(`  ${change} ${table} ${[...name, ...values].join(' ')}`);
    }
  }
  return `${lines.join('\n')}\n`;
}
