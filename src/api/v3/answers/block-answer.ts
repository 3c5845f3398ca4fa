import type { BlockRow } from '../../entities/blocks/model.ts';
import { previousBlocks } from '../../entities/blocks/previous.ts';
import { shardHex } from '../../entities/blocks/shard-text.ts';
import type { BlockAnswer } from '../schemas/block.ts';

const MASTERCHAIN = { workchain: -1, shard: '8000000000000000' } as const;

/** Block of v3-models.md section 4, its keys in the order of the real server. */
export function blockAnswer(row: BlockRow): BlockAnswer {
  return {
    workchain: row.workchain,
    shard: shardHex(row.shard),
    seqno: row.seqno,
    root_hash: row.root_hash,
    file_hash: row.file_hash,
    global_id: row.global_id,
    version: row.version,
    after_merge: row.after_merge,
    before_split: row.before_split,
    after_split: row.after_split,
    want_merge: row.want_merge,
    want_split: row.want_split,
    key_block: row.key_block,
    vert_seqno_incr: row.vert_seqno_incr,
    flags: row.flags,
    gen_utime: `${row.gen_utime}`,
    start_lt: row.start_lt,
    end_lt: row.end_lt,
    // Unsigned in the block, signed in the answers of the real server.
    validator_list_hash_short: row.validator_list_hash_short | 0,
    gen_catchain_seqno: row.gen_catchain_seqno,
    min_ref_mc_seqno: row.min_ref_mc_seqno,
    prev_key_block_seqno: row.prev_key_block_seqno,
    vert_seqno: row.vert_seqno,
    master_ref_seqno: row.master_ref_seqno,
    rand_seed: row.rand_seed,
    created_by: row.created_by,
    tx_count: row.tx_count,
    masterchain_block_ref: { ...MASTERCHAIN, seqno: row.mc_seqno },
    prev_blocks: previousBlocks(row).map(({ workchain, shard, seqno }) => ({
      workchain,
      shard: shardHex(shard),
      seqno,
    })),
  };
}
