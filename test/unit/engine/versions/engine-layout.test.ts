import { expect, it } from 'vitest';
import { engineLayout } from '../../../../src/engine/versions/clone-table.ts';

const KEYS = 'PARTITION BY intDiv(mc_seqno, 20) ORDER BY mc_seqno SETTINGS index_granularity = 8192';

it.each([
  ['of one server', `MergeTree ${KEYS}`, `MergeTree ${KEYS}`],
  [
    'whatever is said of merges',
    `MergeTree ${KEYS}, merge_selector_base = 20, min_parts_to_merge_at_once = 32`,
    `MergeTree ${KEYS}`,
  ],
  [
    'wherever old parts move',
    `MergeTree PARTITION BY intDiv(mc_seqno, 20) ORDER BY mc_seqno TTL toDateTime(now) + toIntervalSecond(7776000) TO VOLUME IF EXISTS 'cold' SETTINGS index_granularity = 8192, storage_policy = 'tiered', materialize_ttl_recalculate_only = 1`,
    `MergeTree ${KEYS}`,
  ],
  [
    'of a replicated table, without its path',
    `ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}') ${KEYS}`,
    `ReplicatedMergeTree() ${KEYS}`,
  ],
  [
    'of a replicated table that has an argument',
    `ReplicatedReplacingMergeTree('/ch/{shard}/mainnet_base_v1/t', '{replica}', lt) ${KEYS}`,
    `ReplicatedReplacingMergeTree(lt) ${KEYS}`,
  ],
  [
    'of a table over shards, by what rows are spread',
    "Distributed('tonhouse', 'mainnet_base_v2', 'transactions_local', cityHash64(account))",
    'Distributed(, cityHash64(account))',
  ],
])('the layout %s', (_, engine, layout) => {
  expect(engineLayout(engine)).toBe(layout);
});
