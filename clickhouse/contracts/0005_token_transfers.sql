-- Received messages that move tokens. Whether the receiver's master or collection knows it is asked when they are read; a receiver
-- under a code whose data is not read has no parent here, and its own code as child_code. Of a destination or response that is no
-- account, has_… is false and …_workchain the form of the address: 0 addr_none, 1 addr_extern, 2 addr_var.
CREATE TABLE IF NOT EXISTS {db}.token_transfers{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    hash FixedString(32) CODEC(NONE),
    now UInt32 CODEC(Delta, ZSTD(1)),
    aborted Bool CODEC(ZSTD(1)),
    has_parent Bool CODEC(ZSTD(1)),
    parent_workchain Int32 CODEC(ZSTD(1)),
    parent FixedString(32) CODEC(ZSTD(1)),
    child_code FixedString(32) CODEC(ZSTD(1)),
    query_id UInt64 CODEC(ZSTD(1)),
    amount UInt256 CODEC(ZSTD(1)),
    has_source Bool CODEC(ZSTD(1)),
    source_workchain Int32 CODEC(ZSTD(1)),
    source FixedString(32) CODEC(ZSTD(1)),
    has_destination Bool CODEC(ZSTD(1)),
    destination_workchain Int32 CODEC(ZSTD(1)),
    destination FixedString(32) CODEC(ZSTD(1)),
    has_response Bool CODEC(ZSTD(1)),
    response_workchain Int32 CODEC(ZSTD(1)),
    response FixedString(32) CODEC(ZSTD(1)),
    forward_amount UInt128 CODEC(ZSTD(1)),
    custom_payload String CODEC(ZSTD(3)),
    forward_payload String CODEC(ZSTD(3)),
    INDEX by_now now TYPE minmax GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (kind, lt, account, workchain)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_transfers_mv{cluster} TO {db}.token_transfers AS
SELECT * FROM {db}.land_token_transfers;

-- The same by each account that takes part: four rows a transfer, of its receiver, parent, source and destination.
CREATE TABLE IF NOT EXISTS {db}.token_transfer_keys{cluster}
(
    mc_seqno UInt32 CODEC(Delta, ZSTD(1)),
    part UInt16 CODEC(ZSTD(1)),
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) CODEC(ZSTD(1)),
    role Enum8('account' = 0, 'parent' = 1, 'source' = 2, 'destination' = 3) CODEC(ZSTD(1)),
    key FixedString(32) CODEC(ZSTD(1)),
    workchain Int32 CODEC(ZSTD(1)),
    account FixedString(32) CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    now UInt32 CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (key, kind, role, lt, account)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_transfer_keys_mv{cluster} TO {db}.token_transfer_keys AS
SELECT mc_seqno, part, kind, one.1 AS role, one.2 AS key, workchain, account, lt, now
FROM
(
    SELECT mc_seqno, part, kind, workchain, account, lt, now, arrayJoin([
        ('account', account), ('parent', parent), ('source', source), ('destination', destination)]) AS one
    FROM {db}.land_token_transfers
);
