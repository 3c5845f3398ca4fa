import { type Static, Type } from 'typebox';
import { BlockId, Hash, Lt, NextCursor, nullable } from './common.ts';

export const BlockSchema = Type.Object({
  workchain: Type.Integer(),
  shard: Type.String(),
  seqno: Type.Integer(),
  root_hash: Hash,
  file_hash: Hash,
  global_id: Type.Integer(),
  version: Type.Integer(),
  after_merge: Type.Boolean(),
  before_split: Type.Boolean(),
  after_split: Type.Boolean(),
  want_merge: Type.Boolean(),
  want_split: Type.Boolean(),
  key_block: Type.Boolean(),
  vert_seqno_incr: Type.Boolean(),
  flags: Type.Integer(),
  gen_utime: Type.String({ description: 'Unix seconds, decimal' }),
  start_lt: Lt,
  end_lt: Lt,
  validator_list_hash_short: Type.Integer(),
  gen_catchain_seqno: Type.Integer(),
  min_ref_mc_seqno: Type.Integer(),
  prev_key_block_seqno: Type.Integer(),
  vert_seqno: Type.Integer(),
  master_ref_seqno: Type.Integer(),
  rand_seed: Hash,
  created_by: Hash,
  tx_count: Type.Integer(),
  masterchain_block_ref: BlockId,
  prev_blocks: nullable(Type.Array(BlockId)),
});
export type BlockAnswer = Static<typeof BlockSchema>;

export const BlocksSchema = Type.Object({ blocks: Type.Array(BlockSchema), next_cursor: NextCursor });
export type BlocksAnswer = Static<typeof BlocksSchema>;

export const MasterchainInfoSchema = Type.Object({ last: BlockSchema, first: BlockSchema });
export type MasterchainInfoAnswer = Static<typeof MasterchainInfoSchema>;
