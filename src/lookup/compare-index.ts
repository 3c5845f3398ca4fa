import { intersectRanges, type PositionRange, subtractRanges } from '../engine/ranges/position-ranges.ts';
import { isTooLarge } from '../platform/clickhouse/store-errors.ts';
import { pause } from '../platform/retry/poll.ts';
import { allLookUps } from '../tables/look-ups/look-ups.ts';
import { readConfirmedUntil } from './confirmations.ts';
import { readFillRows } from './fill-statement.ts';
import { describeFile, type FollowedVersion, readFill } from './followed-version.ts';
import { isDamagedFile, openAudit } from './sqlite-index.ts';
import type { IndexAudit, IndexedRow } from './store-port.ts';

const FIRST_STEPS = 64;
const MAX_STEPS = 4_096;
/** A step that is too large is read in this many pieces. */
const PIECES = 4_096;
/** A difference is looked at again: the server may be about to read rewritten steps. */
const TRIES = 5;
const AGAIN_MS = 3_000;
const SHOWN = 5;

/** How a file and the tables differ. */
export interface IndexComparison {
  readonly database: string;
  /** Compared steps. */
  readonly steps: readonly PositionRange[];
  readonly rows: number;
  readonly problems: number;
  readonly samples: readonly string[];
}

/** Rows of a chunk that differ, and how many rows it has. */
interface Found {
  readonly rows: number;
  readonly differences: readonly string[];
}

/**
 * Compares the complete steps of a file with the tables, row by row. A server may write the file meanwhile. Steps that
 * are not confirmed, or were confirmed after the last look of a server, are not compared: a server reads them again.
 * Null if the file is missing or of another release, so that a server makes it again.
 */
export async function compareIndex(version: FollowedVersion): Promise<IndexComparison | null> {
  const audit = openAudit(await describeFile(version));
  if (!audit) return null;
  try {
    return await compareSteps(version, audit);
  } catch (error) {
    if (!isDamagedFile(error)) throw error;
    const samples = [`its pages cannot be read: ${(error as Error).message}`];
    return { database: version.database, steps: [], rows: 0, problems: 1, samples };
  } finally {
    audit.close();
  }
}

async function compareSteps(version: FollowedVersion, audit: IndexAudit): Promise<IndexComparison> {
  const { client, database } = version;
  const { covered, seenAt } = audit.progress;
  const steps = intersectRanges(covered, await readConfirmedUntil(client, database, seenAt));
  const differences: string[] = [];
  let rows = 0;
  for (const range of steps)
    for await (const found of compareRange(version, audit, range)) {
      rows += found.rows;
      differences.push(...found.differences);
    }
  return { database, steps, rows, problems: differences.length, samples: differences.slice(0, SHOWN) };
}

async function* compareRange(
  version: FollowedVersion,
  audit: IndexAudit,
  { first, last }: PositionRange,
): AsyncGenerator<Found> {
  let steps = FIRST_STEPS;
  for (let at = first; at <= last; ) {
    const chunk = { first: at, last: Math.min(last, at + steps - 1) };
    try {
      yield await compareChunk(version, audit, chunk, chunk.first === chunk.last && steps === 1 ? PIECES : 1);
      at = chunk.last + 1;
      steps = Math.min(MAX_STEPS, steps * 2);
    } catch (error) {
      if (!isTooLarge(error) || steps === 1) throw error;
      steps = Math.max(1, Math.floor((chunk.last - chunk.first + 1) / 4));
    }
  }
}

async function compareChunk(
  version: FollowedVersion,
  audit: IndexAudit,
  steps: PositionRange,
  pieces: number,
): Promise<Found> {
  for (let tries = 1; ; tries++) {
    const found = await compareOnce(version, audit, steps, pieces);
    if (found.differences.length === 0 || tries === TRIES) return found;
    await pause(AGAIN_MS, version.signal);
  }
}

/** Steps that left the index meanwhile are not compared. */
async function compareOnce(
  version: FollowedVersion,
  audit: IndexAudit,
  steps: PositionRange,
  pieces: number,
): Promise<Found> {
  const differences: string[] = [];
  let rows = 0;
  for (const lookUp of allLookUps(version.targets, version.tables)) {
    const { name, outlives = false } = lookUp.lookUp;
    let stored = 0;
    for (let piece = 0; piece < pieces; piece++) {
      const bytes = await readFill(version, lookUp, { steps, pieces, piece });
      audit.snapshot(() => {
        if (!isCovered(audit, steps)) return;
        for (const row of readFillRows(bytes)) {
          stored++;
          const reason = compareRow(row, audit.get(name, row.key));
          if (reason) differences.push(`${name} ${toHex(row.key)} of step ${row.step}: ${reason}`);
        }
      });
    }
    const counted = audit.snapshot(() => (isCovered(audit, steps) ? audit.count(name, steps) : null));
    if (counted === null) return { rows: 0, differences: [] };
    if (outlives ? counted < stored : counted !== stored)
      differences.push(
        `${name} of steps ${steps.first} to ${steps.last}: ${counted} rows, the table has ${stored}`,
      );
    rows += counted;
  }
  return { rows, differences };
}

function isCovered({ progress }: IndexAudit, steps: PositionRange): boolean {
  return subtractRanges([steps], progress.covered).length === 0;
}

function compareRow(stored: IndexedRow, indexed: IndexedRow | null): string | null {
  if (!indexed) return 'missing';
  if (indexed.step !== stored.step) return `has step ${indexed.step}`;
  return Buffer.compare(indexed.value, stored.value) === 0 ? null : 'has another value';
}

function toHex(key: Uint8Array): string {
  return Buffer.from(key).toString('hex');
}
