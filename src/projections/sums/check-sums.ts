import type { ChainCheckOptions } from '../../engine/projection/projection.ts';
import type { CheckResult } from '../../engine/projection/table-audit.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { tableExists } from '../../platform/clickhouse/table-exists.ts';
import { pause } from '../../platform/retry/poll.ts';
import { sumDifferences, sumLaw } from '../../tables/sums/sum-differences.ts';
import type { Sums } from '../../tables/sums/sums.ts';

const QUERY = { route: 'verify/sums', ...TABLE_QUERY } as const;
const SHOWN = 5;
/** Steps of one statement: they bound its memory. A multiple of the steps that a row sums. */
const SLICE_STEPS = 20_000;
/** Pauses before differences are read again, ms: a correction may be replacing rows. */
const RECHECK_PAUSES_MS = [100, 400, 1_500];

/** Checks each table of sums of a projection in chain order against the rows that it sums. */
export async function checkSums(
  options: ChainCheckOptions,
  tables: readonly Sums[],
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const sums of tables) {
    const result = { name: sums.name.replaceAll('_', '-'), law: sumLaw(sums), problems: 0, samples: [] };
    const isThere = await tableExists(options.client, options.database, sums.name, QUERY);
    if (!isThere) results.push({ ...result, skipped: 'the version has no such table' });
    else {
      const samples = await readDifferences(options, sums);
      results.push({ ...result, problems: samples.length, samples: samples.slice(0, SHOWN) });
    }
  }
  return results;
}

async function readDifferences(options: ChainCheckOptions, sums: Sums): Promise<readonly string[]> {
  const samples: string[] = [];
  for (const slice of options.ranges.flatMap(toSlices)) {
    let found = await readSlice(options, sums, slice);
    // A table with differences is not read again for each further slice.
    for (const ms of samples.length === 0 ? RECHECK_PAUSES_MS : []) {
      if (found.length === 0) break;
      await pause(ms);
      found = await readSlice(options, sums, slice);
    }
    samples.push(...found);
    if (samples.length >= SHOWN) break;
  }
  return samples;
}

/** Slices that begin at multiples of their size, so that each row of sums is in one. */
export function toSlices({ first, last }: PositionRange): readonly PositionRange[] {
  const slices: PositionRange[] = [];
  for (let from = first; from <= last; ) {
    const end = (Math.floor(from / SLICE_STEPS) + 1) * SLICE_STEPS - 1;
    slices.push({ first: from, last: Math.min(end, last) });
    from = end + 1;
  }
  return slices;
}

async function readSlice(
  { client, database }: ChainCheckOptions,
  sums: Sums,
  { first, last }: PositionRange,
): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(`${sumDifferences(sums)} LIMIT ${SHOWN}`, {
    ...QUERY,
    params: { db: database, first, last },
  });
  return rows.map(([text]) => text);
}
