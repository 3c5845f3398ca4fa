import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import type { MetaTable, ServeContext } from '../serve-context.ts';

const TABLES: readonly MetaTable[] = [
  'found_codes',
  'mintless_masters',
  'mintless_amounts',
  'hidden_methods',
];

/** Returns the tables that a store of an older release lacks until it is migrated. */
export async function readLackedTables(
  client: StoreClient,
  network: string,
): Promise<ReadonlySet<MetaTable>> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT name FROM system.tables WHERE database = {database:String} AND name IN {tables:Array(String)}',
    { route: 'serve/meta-tables', params: { database: metaDatabase(network), tables: TABLES } },
  );
  const present = new Set(rows.map(([name]) => name));
  return new Set(TABLES.filter((name) => !present.has(name)));
}

/** A table of the network, with its database; null if the store does not have it. */
export function metaTable(
  { network, lackedTables }: Pick<ServeContext, 'network' | 'lackedTables'>,
  table: MetaTable,
): string | null {
  return lackedTables?.has(table) ? null : `${metaDatabase(network.label)}.${table}`;
}
