import { HASH } from './base-types.ts';
import { column, defineTable } from './table.ts';

export const SHARDS = defineTable({
  name: 'shards',
  version: 6,
  comment: 'The top blocks of all shards as a masterchain block names them. Rule: ShardDescr of block.tlb.',
  key: ['mc_seqno', 'workchain', 'shard'],
  columns: {
    mc_seqno: column('UInt32', 'Seqno of the masterchain block that names the shard.'),
    workchain: column('Int32', 'Workchain of the shard.'),
    shard: column('UInt64', 'Shard prefix with its end bit.'),
    seqno: column('UInt32', 'Seqno of the top block.'),
    reg_mc_seqno: column('UInt32', 'Seqno of the masterchain block that registered the top block.'),
    start_lt: column('UInt64', 'Logical time at which the top block starts.'),
    end_lt: column('UInt64', 'Logical time at which the top block ends.'),
    root_hash: column(HASH, 'Root hash of the top block.'),
    file_hash: column(HASH, 'File hash of the top block.'),
    gen_utime: column('UInt32', 'Time of the top block, Unix seconds.'),
  },
});
