import { identifier, type Sql, sql } from '../../query/sql.ts';

/** Index tables of blocks, by what they find blocks by. */
const INDEXES = {
  hash: 'block_hashes',
  id: 'blocks_by_id',
  lt: 'blocks_by_lt',
  time: 'blocks_by_time',
} as const;

/** The key of the table `blocks`. */
export const KEY = sql`mc_seqno, workchain, shard, seqno`;

/** An index table of blocks. */
export function blockIndex(database: string, by: keyof typeof INDEXES): Sql {
  return identifier(database, INDEXES[by]);
}

/** Keys of the blocks that an index finds. `rest`: conditions, and an order if there is one. */
export function selectKeys(database: string, by: keyof typeof INDEXES, rest: Sql): Sql {
  return sql`SELECT ${KEY} FROM ${blockIndex(database, by)} WHERE ${rest}`;
}
