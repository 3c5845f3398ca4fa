-- Epochs whose raw blocks may be in sealed files of the log only (`--hot-epochs`). A row is written before anything is dropped.
CREATE TABLE IF NOT EXISTS {db}.cold_epochs{cluster}
(
    epoch UInt32 COMMENT 'Number of the epoch.',
    records UInt64 COMMENT 'Blocks that were compared with sealed ones before they were dropped.',
    at DateTime64(3) DEFAULT now64(3) COMMENT 'When the row was written.'
)
ENGINE = {engine:ReplacingMergeTree(at)}
ORDER BY epoch
COMMENT 'Epochs whose raw blocks are in sealed files of the log. The store may lack them.';
