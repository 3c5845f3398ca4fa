-- Where each cell of an account's code, data and libraries stands: a state that shows it. The cell itself is in
-- account_cells of base, which has every state of the index; a state update shows a cell when it is new in its shard, so
-- that a row here is about one cell of the chain. Keys only, so that the look-up of a pruned branch is one short read.
CREATE TABLE IF NOT EXISTS {db}.cell_places{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    hash8 UInt64 COMMENT 'First 8 bytes of the hash of the cell as a number, most significant first.' CODEC(Delta, ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (hash8, lt)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'A state that contains a cell of code, data or libraries. Its row of account_cells has the cell.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.cell_places_mv{cluster} TO {db}.cell_places AS
SELECT * FROM {db}.land_cell_places;

-- Cells that states leave out and that may be in no block of an index which begins in mid-chain, by the account's first
-- state that does. Those that stand nowhere are missing: `tonhouse cells` names and fetches them.
CREATE TABLE IF NOT EXISTS {db}.absent_cells{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.' CODEC(Delta, ZSTD(1)),
    hash FixedString(32) COMMENT 'Hash of the cell.' CODEC(LZ4)
)
ENGINE = {engine:MergeTree}
ORDER BY (account, workchain, hash)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'The first state of an account that leaves out a cell which the index may not have: it begins in mid-chain.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.absent_cells_mv{cluster} TO {db}.absent_cells AS
SELECT * FROM {db}.land_absent_cells;
