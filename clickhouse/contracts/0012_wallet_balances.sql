-- Balances of jetton wallets in the order of time.
CREATE TABLE IF NOT EXISTS {db}.wallet_balances{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if unknown. Always 0 in `detections`.' CODEC(Delta, ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(Delta, ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.' CODEC(ZSTD(1)),
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.' CODEC(ZSTD(1)),
    amount UInt256 COMMENT 'Balance in smallest units; 0 if the wallet ended.' CODEC(ZSTD(1)),
    INDEX by_mc_seqno mc_seqno TYPE minmax GRANULARITY 1,
    INDEX by_owner concat(toString(owner_workchain), ':', hex(owner)) TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_master concat(toString(parent_workchain), ':', hex(parent)) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (now, lt, account, workchain)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Balances of jetton wallets after each block that changed their account, in the order of time.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.wallet_balances_mv{cluster} TO {db}.wallet_balances AS
SELECT
    mc_seqno,
    part,
    now,
    lt,
    account,
    workchain,
    owner,
    owner_workchain,
    parent,
    parent_workchain,
    child_code,
    if(is_gone, toUInt256(0), amount) AS amount
FROM {db}.land_token_states
WHERE kind = 'jetton_wallet' AND has_owner AND has_parent;
