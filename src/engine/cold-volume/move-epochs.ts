import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { COLD_DISKS, COLD_VOLUME } from '../../platform/clickhouse/cold-volume.ts';
import { poll } from '../../platform/retry/poll.ts';
import type { Part, PartMover } from './move-parts.ts';

const route = 'cold-volume/move';

/** Tables of a database. */
interface Tables {
  readonly database: string;
  readonly tables: readonly string[];
}

/** Tables of a database that move by epoch. Its table `blocks_by_time` has the times of the blocks. */
interface EpochTables extends Tables {
  readonly epochSize: number;
}

/**
 * Moves the parts of epochs that ended longer ago than `afterSeconds`. These tables have no column of time, so no TTL.
 * Answers how many parts moved. A part that a merge uses is left to the next call.
 */
export async function moveOldEpochs(
  mover: PartMover,
  { database, tables, epochSize }: EpochTables,
  afterSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  const { client } = mover;
  const newest = await newestOldStep(client, database, afterSeconds);
  if (newest === null) return 0;
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT table, name, path FROM system.parts
     WHERE active AND database = {database:String} AND table IN {tables:Array(String)}
       AND disk_name NOT IN ${COLD_DISKS} AND (toUInt64(partition_id) + 1) * {size:UInt64} - 1 <= {newest:UInt64}
     ORDER BY table, toUInt64(partition_id), name`,
    { route, params: { database, tables, size: epochSize, newest }, maxRows: 1_000_000 },
  );
  return mover.move(toParts(database, rows), COLD_VOLUME, signal);
}

const toParts = (database: string, rows: readonly (readonly [string, string, string])[]): readonly Part[] =>
  rows.map(([table, name, path]) => ({ database, table, name, path }));

/**
 * Moves the parts whose rows are all older than `afterSeconds`, by the times that the server noted for the TTL of these
 * tables. Answers how many parts moved. A part that a merge uses is left to the next call.
 */
export async function moveAgedParts(
  mover: PartMover,
  { database, tables }: Tables,
  afterSeconds: number,
  signal: AbortSignal,
): Promise<number> {
  // A part may have the time of an older setting too.
  const { rows } = await mover.client.queryRows<[string, string, string]>(
    `SELECT table, name, path FROM system.parts
     WHERE active AND database = {database:String} AND table IN {tables:Array(String)}
       AND disk_name NOT IN ${COLD_DISKS}
       AND arrayExists((expression, latest) -> position(expression, {ttl:String}) > 0 AND latest <= now(),
         move_ttl_info.expression, move_ttl_info.max)
     ORDER BY table, name`,
    {
      route,
      params: { database, tables, ttl: `toIntervalSecond(${afterSeconds})` },
      maxRows: 1_000_000,
    },
  );
  return mover.move(toParts(database, rows), COLD_VOLUME, signal);
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

/** Pauses between looks for parts that merges used, milliseconds. */
const BUSY = { everyMs: 200, maxMs: 5_000 } as const;

/**
 * Moves all parts of a database from the cold volume to the first volume of their table's policy. Waits for merges: what
 * they make of cold parts is cold. Answers how many parts moved.
 */
export async function moveBack(mover: PartMover, database: string, signal: AbortSignal): Promise<number> {
  let moved = 0;
  await poll(
    async () => {
      const parts = await readColdParts(mover.client, database);
      for (const [volume, some] of Map.groupBy(parts, ({ firstVolume }) => firstVolume))
        moved += await mover.move(some, volume, signal);
      return parts.length === 0;
    },
    { ...BUSY, signal },
  );
  return moved;
}

/** Parts on the cold volume, with the first volume of their table's policy. */
async function readColdParts(client: StoreClient, database: string) {
  const { rows } = await client.queryRows<[string, string, string, string]>(
    `SELECT table, parts.name, path, volume_name FROM system.parts AS parts
     INNER JOIN (SELECT name AS table, storage_policy AS policy_name FROM system.tables WHERE database = {database:String}) AS tables USING (table)
     INNER JOIN (SELECT policy_name, volume_name FROM system.storage_policies WHERE volume_priority = 1) AS volumes USING (policy_name)
     WHERE active AND database = {database:String} AND disk_name IN ${COLD_DISKS} ORDER BY table, parts.name`,
    { route, params: { database }, maxRows: 1_000_000 },
  );
  return rows.map(([table, name, path, firstVolume]) => ({ database, table, name, path, firstVolume }));
}
