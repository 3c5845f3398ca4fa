import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { localTable, storedTable } from '../../platform/clickhouse/cluster-scope.ts';
import { AGED_VOLUME, COLD_VOLUME } from '../../platform/clickhouse/cold-volume.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { AgingTable, ColdTier } from '../projection/cold-tier.ts';

const route = 'cold-volume/set';
/** A server without the volume keeps its parts where they are, and still loads the table. */
const target = ({ directory }: StoreClient) =>
  `TO VOLUME IF EXISTS '${directory === null ? COLD_VOLUME : AGED_VOLUME}'`;

/** The server has no cold volume for the tables. */
export class ColdVolumeError extends ConflictError {
  constructor(policy: string, url: string) {
    super(
      `the ClickHouse server at ${url} has no volume ${COLD_VOLUME} in its storage policy ${policy}. An embedded store has one if the command that started it has --cold; for a given server see docs/operations.md, "Hot and cold tables"`,
    );
  }
}

/** @throws ColdVolumeError */
export async function requireColdVolume(client: StoreClient, { policy }: ColdTier): Promise<void> {
  const { rows } = await client.queryRows(
    `SELECT 1 FROM system.storage_policies WHERE policy_name = {policy:String} AND volume_name = '${COLD_VOLUME}'`,
    { route, params: { policy } },
  );
  if (rows.length === 0) throw new ColdVolumeError(policy, client.url);
}

interface StoredTable {
  readonly table: string;
  readonly policy: string;
  readonly definition: string;
}

/**
 * Lets the server move old parts of the tables of a database: by TTL, so it needs no other process. An embedded server
 * only notes the age of parts. Changes only what differs.
 */
export async function setMoves(
  client: StoreClient,
  database: string,
  tables: readonly AgingTable[],
  tier: ColdTier,
): Promise<void> {
  const stored = await readStored(client, database, tables);
  for (const { table, aging } of tables) {
    const found = stored.find((one) => one.table === localTable(table, client.cluster));
    if (!found) continue;
    for (const change of changes(aging, found, tier, target(client)))
      await client.command(`ALTER TABLE ${storedTable(client, database, table)} ${change}`, {
        route,
        settings: { materialize_ttl_after_modify: 1 },
      });
  }
}

/** What ALTER TABLE must change, in order. */
function changes(
  aging: AgingTable['aging'],
  { policy, definition }: StoredTable,
  tier: ColdTier,
  to: string,
): readonly string[] {
  const moved = policy === tier.policy ? [] : [`MODIFY SETTING storage_policy = '${tier.policy}'`];
  if (aging === 'epoch') return moved;
  const after = tier.afterSeconds;
  if (after === null) {
    return / TO VOLUME IF EXISTS /.test(definition) ? [...moved, 'REMOVE TTL'] : moved;
  }
  const ttl = `toDateTime(${aging.column}) + toIntervalSecond(${after}) ${to}`;
  if (definition.includes(`TTL ${ttl}`)) return moved;
  // Parts that are there learn their new time from one column, and are not rewritten.
  const recalculate = definition.includes(RECALCULATE) ? [] : [`MODIFY SETTING ${RECALCULATE}`];
  return [...moved, ...recalculate, `MODIFY TTL ${ttl}`];
}

const RECALCULATE = 'materialize_ttl_recalculate_only = 1';

async function readStored(
  client: StoreClient,
  database: string,
  tables: readonly AgingTable[],
): Promise<readonly StoredTable[]> {
  if (tables.length === 0) return [];
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT name, storage_policy, engine_full FROM system.tables
     WHERE database = {database:String} AND name IN {tables:Array(String)}`,
    { route, params: { database, tables: tables.map(({ table }) => localTable(table, client.cluster)) } },
  );
  return rows.map(([table, policy, definition]) => ({ table, policy, definition }));
}
