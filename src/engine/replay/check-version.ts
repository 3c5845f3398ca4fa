import { inputLandings } from '../projection/projection.ts';
import type { EpochSums, VersionPair, VersionSums } from '../projection/version-pair.ts';
import type { Landing } from '../sink/sink-definition.ts';
import { NO_ROWS, readEpochSums } from '../versions/epoch-sums.ts';

/** Sums of every table that can be counted. `skip`: landing tables that were not built. */
export async function readVersionSums(pair: VersionPair, skip: readonly string[] = []): Promise<VersionSums> {
  const { client, from, to } = pair;
  const sums = new Map<string, { old: EpochSums; next: EpochSums }>();
  for (const { landing, counted } of pair.projection.sink.landings) {
    if (skip.includes(landing)) continue;
    for (const target of counted)
      sums.set(target.table, await readEpochSums(client, target, { from, to }, pair));
  }
  return sums;
}

/** Problems of a built version, as text; empty if it may be served. */
export async function checkVersion(pair: VersionPair, sums: VersionSums): Promise<readonly string[]> {
  return [
    ...inputsChanged(pair, sums),
    ...pair.projection.sink.landings.flatMap((landing) => unevenTargets(landing, sums)),
    ...((await pair.projection.problems?.(pair, sums)) ?? []),
  ];
}

/** The input must be what it was, to the byte; blocks that were put aside before may come to it. */
function inputsChanged({ projection }: VersionPair, sums: VersionSums): string[] {
  return inputLandings(projection).flatMap((table) => {
    const { old, next } = sums.get(table) ?? { old: new Map(), next: new Map() };
    return [...old].flatMap(([epoch, before]) => {
      const after = next.get(epoch) ?? NO_ROWS;
      const isSame =
        after.rows > before.rows || (after.rows === before.rows && after.checksum === before.checksum);
      return isSame
        ? []
        : [`${table}, epoch ${epoch}: ${before.rows} rows before, ${after.rows} after, or other bytes`];
    });
  });
}

/** Targets of one landing table, each of which has a row for every landed row, have the same counts. */
function unevenTargets({ counted }: Landing, sums: VersionSums): string[] {
  const unfiltered = counted.filter(({ where }) => !where);
  const [first, ...others] = unfiltered;
  const base = first && sums.get(first.table)?.next;
  if (!first || !base) return [];
  return others.flatMap(({ table, rowsPerRow = 1 }) =>
    [...base].flatMap(([epoch, { rows }]) => {
      const found = sums.get(table)?.next.get(epoch)?.rows ?? 0n;
      const expected = rows * BigInt(rowsPerRow);
      return found === expected
        ? []
        : [`${table}, epoch ${epoch}: ${found} rows, ${expected} expected by ${first.table}`];
    }),
  );
}
