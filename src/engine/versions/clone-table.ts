import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { localTable, ofShards, onCluster, storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';
import type { CountedTarget } from '../sink/sink-definition.ts';

const route = 'versions/clone';

/** A column by name, and ClickHouse's name of its type. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}

interface TableShape {
  /** Engine, keys and settings of parts, and on a cluster by what rows are spread over its shards. */
  readonly layout: string;
  readonly columns: readonly TypedColumn[];
}

/** The column as something to hash: a hash of NULL would be NULL. */
export function hashable({ name, type }: TypedColumn): string {
  return type.startsWith('Nullable(') ? `ifNull(toString(${name}), 'NULL')` : name;
}

/** Settings that control merges and volumes, not content. */
const MERGE_SETTING =
  /(, )?\b(merge_selector_base|min_parts_to_merge_at_once|max_bytes_to_merge_at_max_space_in_pool|materialize_ttl_recalculate_only|storage_policy) = (\d+|'[^']*')/g;
/** Rows are never deleted by age: a TTL only moves parts. */
const MOVES = / TTL .* TO VOLUME IF EXISTS '\w+'/;

/**
 * An engine as `system.tables` has it, without the paths and names that no two databases share, and without the settings
 * of merges and moves.
 */
export function engineLayout(engineFull: string): string {
  return engineFull
    .replaceAll(MERGE_SETTING, '')
    .replace(MOVES, '')
    .replace(/^(Replicated\w+)\('[^']*', '[^']*'(?:, )?/, '$1(')
    .replace(/^Distributed\('[^']*', '[^']*', '[^']*'/, 'Distributed(');
}

async function readShape(client: StoreClient, database: string, table: string): Promise<TableShape> {
  const local = localTable(table, client.cluster);
  const params = { database, table: local };
  const [engines, columns] = await Promise.all([
    client.queryRows<[string]>(
      `SELECT engine_full FROM system.tables WHERE database = {database:String} AND name IN {tables:Array(String)}
       ORDER BY name`,
      { route, params: { database, tables: [table, local] } },
    ),
    client.queryRows<[string, string]>(
      `SELECT name, type FROM system.columns
       WHERE database = {database:String} AND table = {table:String} ORDER BY position`,
      { route, params },
    ),
  ]);
  return {
    layout: engines.rows.map(([engine]) => engineLayout(engine)).join('; '),
    columns: columns.rows.map(([name, type]) => ({ name, type })),
  };
}

function shared(old: TableShape, next: TableShape): readonly TypedColumn[] {
  return old.columns.filter(({ name }) => next.columns.some((column) => column.name === name));
}

/** Columns by which two versions are compared: those that both tables have, in the order of the first. */
export async function comparedColumns(
  client: StoreClient,
  { from, to }: { readonly from: string; readonly to: string },
  { table, packed = [] }: Pick<CountedTarget, 'table' | 'packed'>,
): Promise<readonly TypedColumn[]> {
  const [old, next] = await Promise.all([readShape(client, from, table), readShape(client, to, table)]);
  return shared(old, next).filter(({ name }) => !packed.includes(name));
}

/**
 * Copies the rows of `keep` from the same table of another database into an empty table. Parts are linked if both
 * tables are alike, on a cluster shard by shard: that takes no disk and almost no time. Compression may differ: every
 * part has its own. Otherwise the common columns are copied. Rows of other positions in linked parts are deleted.
 */
export async function cloneTable(
  client: StoreClient,
  table: string,
  { from, to }: { readonly from: string; readonly to: string },
  keep: readonly PositionRange[],
): Promise<'linked' | 'copied'> {
  const [old, next] = await Promise.all([readShape(client, from, table), readShape(client, to, table)]);
  const condition = rangeCondition('mc_seqno', keep);
  if (old.layout !== next.layout || JSON.stringify(old.columns) !== JSON.stringify(next.columns)) {
    const columns = shared(old, next)
      .map(({ name }) => name)
      .join(', ');
    await client.command(
      `INSERT INTO ${to}.${table} (${columns}) SELECT ${columns} FROM ${from}.${table} WHERE ${condition}`,
      { route },
    );
    return 'copied';
  }
  await linkPartitions(client, table, { from, to });
  await keepOnly(client, to, table, condition);
  return 'linked';
}

/** A statement on all shards lasts as long as on the slowest one: minutes, where many parts are linked or marked. */
const SLOWEST_SHARD = { distributed_ddl_task_timeout: 3_600 } as const;

/** Links every partition; of one that a shard does not have nothing is linked there. */
async function linkPartitions(
  client: StoreClient,
  table: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const local = localTable(table, client.cluster);
  const { rows } = await client.queryRows<[string]>(
    `SELECT DISTINCT partition_id FROM ${ofShards(client, 'system.parts')}
     WHERE active AND database = {from:String} AND table = {local:String} ORDER BY partition_id`,
    { route, params: { from, local } },
  );
  for (const [id] of rows) {
    await client.command(
      `ALTER TABLE ${to}.${local}${onCluster(client)} ATTACH PARTITION ID '${id}' FROM ${from}.${local}`,
      { route, settings: SLOWEST_SHARD },
    );
  }
}

async function keepOnly(
  client: StoreClient,
  database: string,
  table: string,
  condition: string,
): Promise<void> {
  const others = await client.queryRows<[string]>(
    `SELECT count() FROM ${database}.${table} WHERE NOT ${condition}`,
    { route, ...TABLE_QUERY },
  );
  if (others.rows[0]?.[0] === '0') return;
  await client.command(`DELETE FROM ${storedTable(client, database, table)} WHERE NOT ${condition}`, {
    route,
    settings: { ...SLOWEST_SHARD, lightweight_deletes_sync: 2 },
  });
}
