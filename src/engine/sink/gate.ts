import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { landingTable, type SinkDefinition } from './sink-definition.ts';

/** Column of a landing table that is computed for rows that land: it throws where their attempt is closed. */
const GATE = 'gate';

/** An insert's id without its last part, the table, names its attempt (`src/engine/sink/insert-batch.ts`). */
const ATTEMPT = "arrayStringConcat(arrayPopBack(splitByChar(':', queryID())), ':')";

const route = 'sink/gate';

/** Landing tables of a version. */
export interface GatedTables extends Pick<SinkDefinition, 'landings'> {
  readonly database: string;
  /** Database of the network, with the closed attempts. */
  readonly meta: string;
}

/**
 * Adds a gate to landing tables without one. Returns true if the store then refuses rows of closed attempts, so that
 * inserts need no condition, which costs more than a small insert (decision 91). False on a cluster: closed attempts
 * are in one server's memory.
 */
export async function gateLandings(client: StoreClient, tables: GatedTables): Promise<boolean> {
  if (client.cluster !== null) return false;
  const { database, meta } = tables;
  const open = await tablesWithoutGate(client, tables);
  if (open.length > 0) await repeatClosings(client, meta);
  const refusal = `throwIf(joinGet('${meta}.closed_attempts', 'is_closed', ${ATTEMPT}), 'this attempt is closed')`;
  for (const table of open) {
    await client.command(
      `ALTER TABLE ${database}.${table} ADD COLUMN IF NOT EXISTS ${GATE} UInt8 MATERIALIZED ${refusal}`,
      { route },
    );
  }
  return true;
}

async function tablesWithoutGate(
  client: StoreClient,
  { database, landings }: GatedTables,
): Promise<readonly string[]> {
  const { rows } = await client.queryRows<[string]>(
    'SELECT table FROM system.columns WHERE database = {database:String} AND name = {gate:String}',
    { route, params: { database, gate: GATE } },
  );
  const gated = new Set(rows.map(([table]) => table));
  return landings.map(({ landing }) => landingTable(landing)).filter((table) => !gated.has(table));
}

/** Attempts that were closed before `closed_attempts` was there reach it as those do that are closed now, by its view. */
async function repeatClosings(client: StoreClient, meta: string): Promise<void> {
  await client.command(
    `INSERT INTO ${meta}.fences (range, attempt)
     SELECT range, max(attempt) FROM ${meta}.fences WHERE endsWith(range, ':') GROUP BY range`,
    { route, settings: { insert_deduplicate: 0 } },
  );
}
