import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { type PositionRange, rangeCondition } from '../ranges/position-ranges.ts';

const route = 'versions/clone';

/** A column by name, and ClickHouse's name of its type. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}

interface TableShape {
  readonly keys: string;
  readonly columns: readonly TypedColumn[];
  readonly types: string;
}

/** The column as something to hash: a hash of NULL would be NULL. */
export function hashable({ name, type }: TypedColumn): string {
  return type.startsWith('Nullable(') ? `ifNull(toString(${name}), 'NULL')` : name;
}

async function shapeOf(client: StoreClient, database: string, table: string): Promise<TableShape> {
  const params = { database, table };
  const [keys, columns] = await Promise.all([
    client.queryRows<[string]>(
      `SELECT engine_full FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
      { route, params },
    ),
    client.queryRows<[string, string, string]>(
      `SELECT name, type, compression_codec FROM system.columns
       WHERE database = {database:String} AND table = {table:String} ORDER BY position`,
      { route, params },
    ),
  ]);
  return {
    keys: keys.rows[0]?.[0] ?? '',
    columns: columns.rows.map(([name, type]) => ({ name, type })),
    types: columns.rows.map((row) => row.join(' ')).join(', '),
  };
}

function shared(old: TableShape, next: TableShape): readonly TypedColumn[] {
  return old.columns.filter(({ name }) => next.columns.some((column) => column.name === name));
}

/** Columns that both tables have, in the order of the first. */
export async function commonColumns(
  client: StoreClient,
  from: string,
  to: string,
  table: string,
): Promise<readonly TypedColumn[]> {
  const [old, next] = await Promise.all([shapeOf(client, from, table), shapeOf(client, to, table)]);
  return shared(old, next);
}

/**
 * Makes the rows of `keep` in an empty table those of the same table of another database. Parts are linked, not
 * copied, where both tables are made alike: that takes no disk and next to no time. Otherwise the columns that both
 * have are copied. What other positions the parts bring along is deleted.
 */
export async function cloneTable(
  client: StoreClient,
  table: string,
  { from, to }: { readonly from: string; readonly to: string },
  keep: readonly PositionRange[],
  position = 'mc_seqno',
): Promise<'linked' | 'copied'> {
  const [old, next] = await Promise.all([shapeOf(client, from, table), shapeOf(client, to, table)]);
  const condition = rangeCondition(position, keep);
  if (old.keys !== next.keys || old.types !== next.types) {
    const columns = shared(old, next)
      .map(({ name }) => name)
      .join(', ');
    await client.command(
      `INSERT INTO ${to}.${table} (${columns}) SELECT ${columns} FROM ${from}.${table} WHERE ${condition}`,
      { route },
    );
    return 'copied';
  }
  const { rows } = await client.queryRows<[string]>(
    `SELECT DISTINCT partition_id FROM system.parts
     WHERE active AND database = {from:String} AND table = {table:String} ORDER BY partition_id`,
    { route, params: { from, table } },
  );
  for (const [id] of rows) {
    await client.command(`ALTER TABLE ${to}.${table} ATTACH PARTITION ID '${id}' FROM ${from}.${table}`, {
      route,
    });
  }
  const others = await client.queryRows<[string]>(
    `SELECT count() FROM ${to}.${table} WHERE NOT ${condition}`,
    { route, timeoutMs: 3_600_000, maxMemoryBytes: 0 },
  );
  if (others.rows[0]?.[0] !== '0') {
    await client.command(`DELETE FROM ${to}.${table} WHERE NOT ${condition}`, {
      route,
      settings: { lightweight_deletes_sync: 2 },
    });
  }
  return 'linked';
}
