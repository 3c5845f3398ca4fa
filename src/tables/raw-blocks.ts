import { HASH, MC_SEQNO } from './base-types.ts';
import { column, defineTable } from './table.ts';

export const RAW_BLOCKS = defineTable({
  name: 'raw_blocks',
  version: 6,
  comment: 'The bytes of blocks as they were captured.',
  key: ['workchain', 'shard', 'seqno'],
  columns: {
    mc_seqno: column('UInt32', MC_SEQNO),
    workchain: column('Int32', 'Workchain of the block; -1 is the masterchain.'),
    shard: column('UInt64', 'Shard prefix with its end bit.'),
    seqno: column('UInt32', 'Seqno in the shard.'),
    root_hash: column(HASH, "Hash of the block's root cell."),
    file_hash: column(HASH, "SHA-256 of the block's bytes."),
    boc: column('String', "The block's bytes."),
  },
});
