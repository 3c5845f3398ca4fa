import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import { type PositionRange, rangeCondition } from '../../../engine/ranges/position-ranges.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';

/** A block's key in the log, as an expression over the columns of a table (`blockName`). */
export const KEY = `concat('(', toString(workchain), ',', lower(hex(shard)), ',', toString(seqno), ')')`;

/** Whether `raw_blocks` has the block. */
export async function hasBlock(
  { client, database }: StoreDatabase,
  key: string,
  position: number,
): Promise<boolean> {
  const { rows } = await client.queryRows(
    `SELECT 1 FROM ${database}.raw_blocks WHERE mc_seqno = {position:UInt32} AND ${KEY} = {key:String} LIMIT 1`,
    { route: 'input/has', params: { position, key } },
  );
  return rows.length > 0;
}

/** Root hashes (hex) of the range's blocks in `raw_blocks`, by key. */
export async function readHashes(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT ${KEY}, lower(hex(root_hash)) FROM ${database}.raw_blocks
     WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
    { route: 'input/hashes', params: { first, last }, timeoutMs: 120_000, maxRows: 1_000_000 },
  );
  return new Map(rows);
}

/** The highest masterchain seqno of the range that has blocks; -1 if there is none. */
export async function highestPosition(
  { client, database }: StoreDatabase,
  { first, last }: PositionRange,
): Promise<number> {
  if (last < first) return -1;
  const { rows } = await client.queryRows<[number, string]>(
    `SELECT max(mc_seqno), count() FROM ${database}.blocks WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}`,
    { route: 'input/highest', params: { first, last } },
  );
  const [highest, count] = rows[0] ?? [0, '0'];
  return count === '0' ? -1 : highest;
}

/** Root hash (hex) of an indexed block; null if there is none. */
export async function readRootHash(
  { client, database }: StoreDatabase,
  key: string,
  position: number,
): Promise<string | null> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT lower(hex(root_hash)) FROM ${database}.blocks WHERE mc_seqno = {position:UInt32} AND ${KEY} = {key:String}`,
    { route: 'input/root-hash', params: { position, key } },
  );
  return rows[0]?.[0] ?? null;
}

/** Masterchain seqnos of the ranges at which states were taken in. */
export async function startStates(
  { client, database }: StoreDatabase,
  ranges: readonly PositionRange[],
): Promise<readonly number[]> {
  const { rows } = await client.queryRows<[number]>(
    `SELECT DISTINCT mc_seqno FROM ${database}.account_states
     WHERE origin = 'state' AND ${rangeCondition('mc_seqno', ranges)}`,
    { route: 'input/states', ...RANGE_QUERY },
  );
  return rows.map(([position]) => position);
}
