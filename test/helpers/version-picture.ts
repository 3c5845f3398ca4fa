import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

/**
 * Every row of every table of a version, in order, as text; merged tables in their final form. `confirmed` is excluded:
 * ends of batches are random.
 */
export async function versionPicture(
  client: StoreClient,
  database: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const route = 'test/picture';
  const { rows: tables } = await client.queryRows<[string, string]>(
    `SELECT name, engine FROM system.tables
     WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name NOT IN ('confirmed', 'confirmed_local') ORDER BY name`,
    { route, params: { database } },
  );
  const picture: Record<string, string[]> = {};
  for (const [table, engine] of tables) {
    const { rows: columns } = await client.queryRows<[string, string]>(
      'SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String} ORDER BY position',
      { route, params: { database, table } },
    );
    const text = columns.map(([name, type]) =>
      /^(FixedString|String)/.test(type) ? `lower(hex(${name}))` : `toString(${name})`,
    );
    const from = `${database}.${table}${engine === 'MergeTree' ? '' : ' FINAL'}`;
    const { rows } = await client.queryRows<[string]>(
      `SELECT lower(hex(sipHash128(${text.join(', ')}))) || ' ' || concatWithSeparator(' ', ${text
        .slice(0, 6)
        .map((one) => `substring(ifNull(${one}, 'NULL'), 1, 64)`)
        .join(', ')}) AS line FROM ${from} ORDER BY line`,
      { route, maxRows: 1_000_000, timeoutMs: 60_000 },
    );
    picture[table] = rows.map(([line]) => line);
  }
  return picture;
}
