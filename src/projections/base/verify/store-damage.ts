import { joinRanges, type PositionRange } from '../../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';
import { StoreError } from '../../../platform/clickhouse/store-errors.ts';
import { type IndexFacts, SLICE_STEPS, type Slice } from './check.ts';
import { MISCOUNTED, UNCONFIRMED } from './row-checks.ts';

/**
 * Codes of files that are cut, altered or gone: ATTEMPT_TO_READ_AFTER_EOF, CANNOT_READ_ALL_DATA, CHECKSUM_DOESNT_MATCH,
 * CANNOT_READ_FROM_FILE_DESCRIPTOR, CANNOT_OPEN_FILE, FILE_DOESNT_EXIST, INCORRECT_DATA, UNKNOWN_CODEC (of a changed
 * header), NO_FILE_IN_DATA_PART, CORRUPTED_DATA, CANNOT_DECOMPRESS.
 */
const UNREADABLE: ReadonlySet<number> = new Set([32, 33, 40, 74, 76, 107, 117, 432, 226, 246, 271]);

/** The statement met files that do not hold what they did. */
export function isUnreadable(error: unknown): error is StoreError {
  return error instanceof StoreError && UNREADABLE.has(error.code);
}

const LONG = { timeoutMs: 3_600_000, maxMemoryBytes: 0, maxRows: 10_000_000 } as const;

/** Slices that together hold every step of which anything is known: counts, blocks, confirmed ranges. */
export async function knownSlices(
  client: StoreClient,
  database: string,
  continuity: IndexFacts['continuity'],
): Promise<readonly Slice[]> {
  const { rows } = await client.queryRows<[number, number, string]>(
    `SELECT min(low), max(high), sum(rows) FROM (
       SELECT min(mc_seqno) AS low, max(mc_seqno) AS high, count() AS rows FROM ${database}.step_rows HAVING rows > 0
       UNION ALL SELECT min(mc_seqno), max(mc_seqno), count() AS rows FROM ${database}.blocks HAVING rows > 0
       UNION ALL SELECT min(mc_seqno), max(mc_seqno), count() AS rows FROM ${database}.raw_blocks HAVING rows > 0
       UNION ALL SELECT min(first), max(last), count() AS rows FROM ${database}.confirmed HAVING rows > 0)`,
    { route: 'verify/slices', ...LONG },
  );
  const [low, high, count] = rows[0] ?? [0, 0, '0'];
  if (count === '0') return [];
  // Unrelated blocks are few and far apart.
  const width = continuity === 'chain' ? SLICE_STEPS : high - low + 1;
  const slices: Slice[] = [];
  for (let first = low; first <= high; first += width)
    slices.push({ first, last: Math.min(high, first + width - 1) });
  return slices;
}

/** Steps that hold other rows than were counted for them, and steps that hold rows although nothing confirms them. */
export async function damagedSteps(
  client: StoreClient,
  database: string,
  continuity: IndexFacts['continuity'],
  open: string,
): Promise<PositionRange[]> {
  const damaged: PositionRange[] = [];
  for (const { first, last } of await knownSlices(client, database, continuity)) {
    for (const steps of [MISCOUNTED, UNCONFIRMED.replaceAll('{open}', open)]) {
      const { rows } = await client.queryRows<[number]>(
        `SELECT DISTINCT mc_seqno FROM (${steps}) ORDER BY mc_seqno`,
        { route: 'verify/damaged', params: { db: database, first, last }, ...LONG },
      );
      damaged.push(...rows.map(([step]) => ({ first: step, last: step })));
    }
  }
  return joinRanges(damaged);
}
