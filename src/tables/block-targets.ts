import { BLOCKS } from './blocks.ts';
import { CONFIG_PARAMS } from './config-params.ts';
import { RAW_BLOCKS } from './raw-blocks.ts';
import { SHARDS } from './shards.ts';
import { RISING } from './table.ts';
import { buildIndex, first8, landed, pick, type Target } from './target.ts';
import { hashText, SPREAD } from './views/text-forms.ts';

/** All blocks of a masterchain step on one shard, the next step on the next one. */
const shard = 'mc_seqno';
const partitionBy = 'intDiv(mc_seqno, {epoch_size})';
const granularity = 1024;

/** Whole rows by step, then the indexes. */
export const BLOCK_TARGETS: readonly Target[] = [
  buildIndex(BLOCKS, {
    name: 'blocks',
    comment: BLOCKS.comment,
    columns: Object.keys(BLOCKS.columns).map((name) => landed(BLOCKS, name, null)),
    without: [],
    partitionBy,
    skips: { by_gen_utime: ['gen_utime', 1], by_root_hash: [hashText('root_hash'), 1, SPREAD] },
    orderBy: ['mc_seqno', 'workchain', 'shard', 'seqno'],
    granularity,
    shard,
    key: BLOCKS.key,
    aging: { column: 'gen_utime' },
  }),
  buildIndex(BLOCKS, {
    name: 'blocks_by_id',
    comment: 'Blocks by id.',
    columns: [
      ...pick(BLOCKS, { workchain: null, seqno: RISING, shard: null, mc_seqno: RISING, root_hash: null }),
      ...pick(BLOCKS, { file_hash: null, start_lt: RISING, end_lt: RISING, tx_count: null }),
    ],
    orderBy: ['workchain', 'seqno', 'shard'],
    granularity,
    shard,
  }),
  buildIndex(BLOCKS, {
    name: 'blocks_by_time',
    comment: 'Blocks by generation time; tx_count bounds lists of transactions by time.',
    columns: [
      ...pick(BLOCKS, { gen_utime: RISING, workchain: null, shard: null, seqno: null, mc_seqno: RISING }),
      ...pick(BLOCKS, { start_lt: RISING, end_lt: RISING, tx_count: null }),
    ],
    lookUps: [
      {
        name: 'masterchain_block',
        key: ['mc_seqno'],
        value: ['start_lt', 'gen_utime'],
        where: 'workchain = -1',
      },
      {
        name: 'block_by_time',
        key: ['gen_utime', 'workchain', 'shard', 'seqno'],
        value: ['tx_count', 'start_lt', 'end_lt'],
        where: 'tx_count > 0',
      },
    ],
    skips: { by_start_lt: ['start_lt', 1], by_mc_seqno: ['mc_seqno', 1] },
    orderBy: ['gen_utime', 'workchain', 'shard', 'seqno'],
    granularity,
    shard,
  }),
  buildIndex(BLOCKS, {
    name: 'blocks_by_lt',
    comment: 'Blocks by the logical time at which they end.',
    columns: [
      ...pick(BLOCKS, { workchain: null, end_lt: RISING, shard: null, seqno: null, start_lt: RISING }),
      ...pick(BLOCKS, { mc_seqno: RISING, root_hash: null, file_hash: null }),
    ],
    orderBy: ['workchain', 'end_lt', 'shard', 'seqno'],
    granularity,
    shard,
  }),
  buildIndex(BLOCKS, {
    name: 'block_hashes',
    comment: 'Root and file hashes of blocks.',
    columns: [
      first8('hash8', 'arrayJoin([root_hash, file_hash])'),
      ...pick(BLOCKS, { mc_seqno: null, workchain: null, shard: null, seqno: null }),
    ],
    rowsPerRow: 2,
    orderBy: ['hash8'],
    granularity,
    shard: 'hash8',
  }),
];

export const SHARD_TARGET = buildIndex(SHARDS, {
  name: 'shards',
  comment: SHARDS.comment,
  columns: [],
  partitionBy,
  orderBy: ['mc_seqno', 'workchain', 'shard'],
  granularity,
  shard,
  key: SHARDS.key,
  aging: { column: 'gen_utime' },
});

export const CONFIG_TARGET = buildIndex(CONFIG_PARAMS, {
  name: 'config_params',
  comment: CONFIG_PARAMS.comment,
  columns: pick(CONFIG_PARAMS, { mc_seqno: null, param: null, hash: null, boc: 'ZSTD(3)' }),
  without: [],
  orderBy: ['param', 'mc_seqno'],
  granularity: 256,
  shard,
  key: CONFIG_PARAMS.key,
});

/** Granules are small, so that one block is read without its neighbours. */
export const RAW_BLOCK_TARGET: Target = {
  name: 'raw_blocks',
  comment: RAW_BLOCKS.comment,
  source: 'land_raw_blocks',
  columns: [
    ...pick(RAW_BLOCKS, { mc_seqno: null, workchain: null, shard: null, seqno: null, root_hash: null }),
    ...pick(RAW_BLOCKS, { file_hash: null, boc: 'LZ4' }),
  ],
  without: [],
  partitionBy,
  orderBy: ['mc_seqno', 'workchain', 'shard', 'seqno'],
  settings: {
    index_granularity: 64,
    index_granularity_bytes: 262144,
    min_index_granularity_bytes: 1024,
    merge_selector_base: 20,
    max_bytes_to_merge_at_max_space_in_pool: 268435456,
  },
  shard,
  aging: 'epoch',
};
