import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';
import { countedTargets, positionColumn, type SinkDefinition } from './sink-definition.ts';
import { STEP_ROWS } from './step-rows.ts';

const route = 'sink/recount';

/** Recounts the stored rows of steps: for callers that changed rows without a batch. */
export async function recountSteps(
  client: StoreClient,
  database: string,
  definition: SinkDefinition,
  ranges: readonly PositionRange[],
): Promise<void> {
  const position = positionColumn(definition);
  const where = rangeCondition(position, ranges);
  await client.command(`DELETE FROM ${storedTable(client, database, STEP_ROWS)} WHERE ${where}`, {
    route,
    settings: { lightweight_deletes_sync: 2 },
  });
  const counts = countedTargets(definition).map(
    ({ table }) =>
      `SELECT ${position}, '${table}' AS name, count() AS number FROM ${database}.${table} WHERE ${where} GROUP BY ${position}`,
  );
  await client.command(
    `INSERT INTO ${database}.${STEP_ROWS}
     SELECT ${position}, mapSort(mapFromArrays(groupArray(name), groupArray(number)))
     FROM (${counts.join(' UNION ALL ')}) GROUP BY ${position}`,
    { route, settings: { insert_deduplicate: 0 } },
  );
}
