import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import { INDEX_SUFFIX, readProgress } from '../../../lookup/sqlite-index.ts';

/** A file of the look-up index. */
export interface LookUpReport {
  readonly database: string;
  /** Complete steps; null if the file cannot be read. */
  readonly steps: readonly PositionRange[] | null;
  readonly bytes: number;
}

/** The files in the folder of a look-up index; empty if there is none. */
export function readLookUpReport(folder: string): readonly LookUpReport[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(INDEX_SUFFIX));
  return names.sort().map((name) => ({
    database: name.slice(0, -INDEX_SUFFIX.length),
    steps: readSteps(join(folder, name)),
    bytes: ['', '-wal'].reduce(
      (sum, suffix) =>
        sum + (statSync(join(folder, `${name}${suffix}`), { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
  }));
}

function readSteps(path: string): readonly PositionRange[] | null {
  try {
    return readProgress(path).covered;
  } catch {
    return null;
  }
}

/** The report for people: a line for each file. */
export function lookUpLines(reports: readonly LookUpReport[]): readonly string[] {
  return reports.map(({ database, steps, bytes }) => {
    const ranges = steps?.map(({ first, last }) => `${first} to ${last}`).join(', ');
    const has = steps ? `masterchain ${ranges || 'nothing yet'}` : 'cannot be read';
    return `look-up index  ${database}: ${has}, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  });
}
