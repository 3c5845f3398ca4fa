import type { Settings } from '../../platform/clickhouse/client-options.ts';
import { tableOfLocal } from '../../platform/clickhouse/cluster-scope.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import type { EngineParts } from '../engine-parts.ts';
import { getPartitions, type TableProjection } from '../projection/projection.ts';
import type { CheckResult } from '../projection/table-audit.ts';
import {
  intersectRanges,
  type PositionRange,
  splitByEpoch,
  subtractRanges,
} from '../ranges/position-ranges.ts';
import { inputStore } from '../replay/plan.ts';
import { countedTargets, positionColumn } from '../sink/sink-definition.ts';
import { STEP_ROWS } from '../sink/step-rows.ts';
import { begunProjections } from '../versions/begun-projections.ts';
import { readCommonIslands, readIslands } from '../versions/confirmed-islands.ts';
import { storedTables } from '../versions/deferred-merges.ts';
import { servedVersion } from '../versions/prepare-store.ts';
import { getDatabase, getGroup } from '../versions/version-names.ts';
import { committedOffsets } from './log-pass.ts';

const QUERY = { route: 'verify/chain', ...TABLE_QUERY, maxRows: 10 } as const;
const SHOWN = 5;

/** Parts of a projection that counts of rows need. */
type CountedParts = Pick<EngineParts, 'client' | 'identity' | 'projection' | 'signal'>;

/** Checks the served versions of those projections in chain order that the store has begun. Nothing is written. */
export async function verifyChains(
  parts: Omit<EngineParts, 'projection'>,
  projections: readonly TableProjection[],
): Promise<readonly CheckResult[]> {
  const begun = await begunProjections(parts.client, parts.identity, projections);
  const results: CheckResult[] = [];
  for (const projection of begun)
    if (getPartitions(projection) !== null) results.push(...(await verifyChain({ ...parts, projection })));
  return results;
}

async function verifyChain(parts: EngineParts): Promise<readonly CheckResult[]> {
  const { client, identity, projection } = parts;
  const partitions = getPartitions(projection) ?? 1;
  const version = await servedVersion(client, identity, projection);
  const database = getDatabase(identity, projection, version);
  // Steps, by partition. First: everything committed by now is confirmed when the store is read.
  const committed = await committedOffsets(parts.bus, projection.reads, getGroup(projection, version));
  const input = await inputStore(parts);
  const common = await readCommonIslands(client, database, partitions);
  const stored = await readIslands(client, input.database);
  const ranges = intersectRanges(common, stored);
  const [range = null] = ranges;
  const beginning = range?.first === common[0]?.first ? range : null;
  const own =
    (await projection.checks?.({ client, database, input: input.database, ranges, beginning })) ?? [];
  return [
    await handedSteps(parts, database, stored, committed),
    await gapless(parts, database, partitions),
    await countedRows(parts, database, ranges),
    ...own.map((result) => withAdvice(projection, result)),
  ];
}

/**
 * Steps that a partition's group has passed are confirmed. Later steps are excluded: retention advances a partition
 * that is off, which then reads the stored records.
 */
async function handedSteps(
  { client, projection }: EngineParts,
  database: string,
  stored: readonly PositionRange[],
  committed: ReadonlyMap<number, number>,
): Promise<CheckResult> {
  const samples: string[] = [];
  for (const [partition, next] of committed) {
    const handed = intersectRanges(stored, [{ first: 0, last: next - 1 }]);
    const confirmed = await readIslands(client, database, partition);
    const end = confirmed.at(-1)?.last ?? Number.POSITIVE_INFINITY;
    for (const { first, last } of subtractRanges(handed, confirmed))
      if (first <= end)
        samples.push(
          `partition ${partition}: masterchain ${first} to ${last} were indexed and are not confirmed`,
        );
  }
  return withAdvice(projection, {
    name: `${projection.name}-handed-steps`,
    law: 'every step that the log has handed over is confirmed in the store',
    problems: samples.length,
    samples: samples.slice(0, SHOWN),
  });
}

async function gapless(
  { client, projection }: EngineParts,
  database: string,
  partitions: number,
): Promise<CheckResult> {
  const samples: string[] = [];
  for (let partition = 0; partition < partitions; partition++) {
    const [first, ...others] = await readIslands(client, database, partition);
    for (const other of others)
      samples.push(`partition ${partition}: nothing between ${first?.last} and ${other.first}`);
  }
  return withAdvice(projection, {
    name: `${projection.name}-confirmed`,
    law: 'each partition has confirmed one gapless range',
    problems: samples.length,
    samples: samples.slice(0, SHOWN),
  });
}

/** The rows of each step and partition are as many as were counted before they were inserted. */
export async function countedRows(
  { client, identity, projection, signal }: CountedParts,
  database: string,
  ranges: readonly PositionRange[],
  settings: Settings = {},
): Promise<CheckResult> {
  const position = positionColumn(projection.sink);
  const tables = countedTargets(projection.sink).filter(({ table }) => table !== STEP_ROWS);
  const stored = await storedTables(client, database, QUERY.route);
  const present = new Set(stored.map((table) => tableOfLocal(table, client.cluster)));
  const samples: string[] = [];
  for (const { first, last } of [...splitByEpoch(ranges, identity.epochSize).values()].flat())
    for (const { table } of tables) {
      const where = `${position} BETWEEN ${first} AND ${last}`;
      // A version of earlier code may lack the table; then nothing was counted for it either.
      const found = present.has(table)
        ? `UNION ALL SELECT ${position} AS step, part, 0, count() FROM ${database}.${table} WHERE ${where} GROUP BY step, part`
        : '';
      const { rows } = await client.queryRows<[number, number, string, string]>(
        `SELECT step, part, toString(sum(expected)), toString(sum(found)) FROM (
           SELECT ${position} AS step, part, rows['${table}'] AS expected, 0 AS found FROM ${database}.${STEP_ROWS} WHERE ${where}
           ${found}
         ) GROUP BY step, part HAVING sum(expected) != sum(found) ORDER BY step, part LIMIT 10`,
        { ...QUERY, settings, ...(signal && { signal }) },
      );
      for (const [step, part, expected, found] of rows)
        samples.push(
          `${table}, masterchain ${step}, partition ${part}: ${found} rows, ${expected} were counted`,
        );
    }
  return withAdvice(projection, {
    name: `${projection.name}-step-rows`,
    law: 'each step and partition has the rows that were counted for it',
    problems: samples.length,
    samples: samples.slice(0, SHOWN),
  });
}

/** Rows in chain order follow from those before them: a repair is a replay. */
function withAdvice({ name }: TableProjection, result: CheckResult): CheckResult {
  if (result.problems === 0) return result;
  return { ...result, samples: [...result.samples, `\`tonhouse replay ${name}\` builds it again`] };
}
