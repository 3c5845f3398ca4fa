import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { COLD_DISKS, COLD_VOLUME } from '../../platform/clickhouse/cold-volume.ts';
import { StoreError } from '../../platform/clickhouse/store-errors.ts';

const route = 'cold-volume/move';

/** A part of a table, on some volume. */
interface Part {
  readonly database: string;
  readonly table: string;
  readonly name: string;
}

/** Tables of a database that move by epoch. Its table `blocks_by_time` has the times of the blocks. */
interface EpochTables {
  readonly database: string;
  readonly tables: readonly string[];
  readonly epochSize: number;
}

/**
 * Moves the parts of epochs that ended longer ago than `afterSeconds`. These tables have no column of time, so no TTL.
 * Answers how many parts moved. A part that a merge uses is left to the next call.
 */
export async function moveOldEpochs(
  client: StoreClient,
  { database, tables, epochSize }: EpochTables,
  afterSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const newest = await newestOldStep(client, database, afterSeconds);
  if (newest === null) return 0;
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT table, name FROM system.parts
     WHERE active AND database = {database:String} AND table IN {tables:Array(String)}
       AND disk_name NOT IN ${COLD_DISKS} AND (toUInt64(partition_id) + 1) * {size:UInt64} - 1 <= {newest:UInt64}
     ORDER BY table, toUInt64(partition_id), name`,
    { route, params: { database, tables, size: epochSize, newest }, maxRows: 1_000_000 },
  );
  const parts = rows.map(([table, name]) => ({ database, table, name }));
  return moveParts(client, parts, COLD_VOLUME, signal);
}

/** The newest masterchain step among blocks of that age: times rise with steps, but for a few steps. */
async function newestOldStep(
  client: StoreClient,
  database: string,
  afterSeconds: number,
): Promise<number | null> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT mc_seqno FROM ${database}.blocks_by_time WHERE gen_utime < toUInt32(now()) - {after:UInt32}
     ORDER BY gen_utime DESC LIMIT 1`,
    { route, params: { after: afterSeconds } },
  );
  return rows[0] === undefined ? null : Number(rows[0][0]);
}

/** Moves all parts of a database from the cold volume to the first volume of their table's policy. Answers how many. */
export async function moveBack(client: StoreClient, database: string, signal: AbortSignal): Promise<number> {
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT table, parts.name, volume_name FROM system.parts AS parts
     INNER JOIN (SELECT name AS table, storage_policy AS policy_name FROM system.tables WHERE database = {database:String}) AS tables USING (table)
     INNER JOIN (SELECT policy_name, volume_name FROM system.storage_policies WHERE volume_priority = 1) AS volumes USING (policy_name)
     WHERE active AND database = {database:String} AND disk_name IN ${COLD_DISKS} ORDER BY table, parts.name`,
    { route, params: { database }, maxRows: 1_000_000 },
  );
  let moved = 0;
  for (const [table, name, volume] of rows)
    moved += await moveParts(client, [{ database, table, name }], volume, signal);
  return moved;
}

async function moveParts(
  client: StoreClient,
  parts: readonly Part[],
  volume: string,
  signal: AbortSignal,
): Promise<number> {
  let moved = 0;
  for (const { database, table, name } of parts) {
    signal.throwIfAborted();
    try {
      await client.command(`ALTER TABLE ${database}.${table} MOVE PART '${name}' TO VOLUME '${volume}'`, {
        route,
        signal,
      });
      moved += 1;
    } catch (error) {
      if (!isOfOnePart(error)) throw error;
    }
  }
  return moved;
}

/** A merge or the server's own move has the part (PART_IS_TEMPORARILY_LOCKED), or it is merged away (NO_SUCH_DATA_PART). */
const BUSY_PART_CODES: ReadonlySet<number> = new Set([384, 232]);

function isOfOnePart(error: unknown): boolean {
  return error instanceof StoreError && BUSY_PART_CODES.has(error.code);
}
