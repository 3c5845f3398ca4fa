import type { StoreClient } from './client.ts';
import { ofServers } from './cluster-scope.ts';

/** A part that the server put aside: its rows are in no answer. */
export interface DetachedPart {
  readonly table: string;
  readonly part: string;
  /** The server's word for why: `broken-on-start`, `unexpected` …; empty for a part that a command put aside. */
  readonly reason: string;
}

const route = 'detached-parts';

/** Parts of a database that the server put aside, on all servers of a cluster. */
export async function detachedParts(client: StoreClient, database: string): Promise<readonly DetachedPart[]> {
  const source = ofServers(client, 'system.detached_parts');
  const { rows } = await client.queryRows<[string, string, string | null]>(
    `SELECT table, name, reason FROM ${source} WHERE database = {database:String} ORDER BY table, name`,
    { route, params: { database }, maxRows: 100_000 },
  );
  return rows.map(([table, part, reason]) => ({ table, part, reason: reason ?? '' }));
}

/** Deletes the parts that were put aside: for a database that is whole without them. */
export async function dropDetachedParts(client: StoreClient, database: string): Promise<void> {
  for (const { table, part } of await detachedParts(client, database))
    await client.command(`ALTER TABLE ${database}.${table} DROP DETACHED PART '${part}'`, {
      route,
      settings: { allow_drop_detached: 1 },
    });
}
