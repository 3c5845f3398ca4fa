import { storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import type { StoreDatabase } from '../projection/stored-input.ts';
import { type PositionRange, rangeCondition, subtractRanges } from '../ranges/position-ranges.ts';
import type { SinkContext } from '../sink/sink-context.ts';
import { countedTargets } from '../sink/sink-definition.ts';

const route = 'repair/steps';

/** Ranges in one statement: its text stays well below the server's `max_query_size`. */
const RANGES = 2_000;

function* chunks(ranges: readonly PositionRange[]): Generator<readonly PositionRange[]> {
  for (let at = 0; at < ranges.length; at += RANGES) yield ranges.slice(at, at + RANGES);
}

const DELETE = { route, settings: { lightweight_deletes_sync: 2 } } as const;

/**
 * Deletes the rows of the steps from every table with rows by step, one table at a time: parts without a free slot
 * among the server's tasks wait in pauses that double.
 */
export async function deleteSteps(
  { client, database, definition }: SinkContext,
  ranges: readonly PositionRange[],
  signal: AbortSignal,
): Promise<void> {
  for (const { table } of countedTargets(definition))
    for (const some of chunks(ranges))
      await client.command(
        `DELETE FROM ${storedTable(client, database, table)} WHERE ${rangeCondition('mc_seqno', some)}`,
        { ...DELETE, signal },
      );
}

/** Takes the steps out of `confirmed`: first what stays of a range is written, then the range is deleted. */
export async function unconfirm(
  { client, database }: StoreDatabase,
  ranges: readonly PositionRange[],
): Promise<void> {
  for (const some of chunks(ranges)) {
    const touched = some.map(({ first, last }) => `(first <= ${last} AND last >= ${first})`).join(' OR ');
    const { rows } = await client.queryRows<[number, number, number, number]>(
      `SELECT DISTINCT first, last, epoch, lane FROM ${database}.confirmed WHERE ${touched}`,
      { route, ...RANGE_QUERY },
    );
    const left = rows.flatMap(([first, last, epoch, lane]) =>
      subtractRanges([{ first, last }], ranges).map(
        (rest) => `(${rest.first}, ${rest.last}, ${epoch}, ${lane})`,
      ),
    );
    if (left.length > 0)
      await client.command(
        `INSERT INTO ${database}.confirmed (first, last, epoch, lane) VALUES ${left.join(', ')}`,
        { route, settings: { insert_deduplicate: 0 } },
      );
    if (rows.length > 0)
      await client.command(
        `DELETE FROM ${storedTable(client, database, 'confirmed')} WHERE ${touched}`,
        DELETE,
      );
  }
}
