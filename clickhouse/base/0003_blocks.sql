-- Whole block rows, read by masterchain seqno: partitioned by epoch.
CREATE TABLE IF NOT EXISTS {db}.blocks{cluster} AS {db}.land_blocks
ENGINE = {engine:MergeTree}
PARTITION BY intDiv(mc_seqno, {epoch_size})
ORDER BY (mc_seqno, workchain, shard, seqno)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'One row per block: header, value flow (grams only) and counts. Rule: Block, BlockInfo, ValueFlow of block.tlb.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.blocks_mv{cluster} TO {db}.blocks AS
SELECT * FROM {db}.land_blocks;
