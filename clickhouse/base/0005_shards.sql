-- The top shard blocks that each masterchain block names.
CREATE TABLE IF NOT EXISTS {db}.shards{cluster} AS {db}.land_shards
ENGINE = {engine:MergeTree}
PARTITION BY intDiv(mc_seqno, {epoch_size})
ORDER BY (mc_seqno, workchain, shard)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'The top blocks of all shards as a masterchain block names them. Rule: ShardDescr of block.tlb.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.shards_mv{cluster} TO {db}.shards AS
SELECT * FROM {db}.land_shards;
