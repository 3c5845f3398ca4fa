import type { StoreDatabase } from '../../engine/projection/stored-input.ts';

/** Masterchain block of a step: its hash, and that of the block before it. Null if the store does not have it. */
export async function readBorder({ client, database }: StoreDatabase, position: number) {
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT lower(hex(root_hash)), lower(hex(prev_root_hash)) FROM ${database}.blocks
     WHERE mc_seqno = {seqno:UInt32} AND seqno = {seqno:UInt32} AND workchain = -1 LIMIT 1`,
    { route: 'join/border', params: { seqno: position } },
  );
  const [row] = rows;
  return row ? { rootHash: row[0], previous: row[1] } : null;
}
