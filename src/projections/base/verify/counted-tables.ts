import { STEP_ROWS } from '../../../engine/sink/step-rows.ts';
import type { StoreClient } from '../../../platform/clickhouse/client.ts';

/**
 * Tables of a version whose rows steps count (migration base/0018): those that keep every row. A version that another
 * release made may have others than this release makes.
 */
export async function countedTables(client: StoreClient, database: string): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT name FROM system.tables
     WHERE database = {database:String} AND engine IN ('MergeTree', 'ReplicatedMergeTree') ORDER BY name`,
    { route: 'verify/tables', params: { database } },
  );
  return rows
    .map(([name]) => (client.cluster ? name.replace(/_local$/, '') : name))
    .filter((table) => table !== STEP_ROWS);
}
