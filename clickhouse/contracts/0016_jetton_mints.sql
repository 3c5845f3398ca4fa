-- Jettons that a wallet received from its master. Whether the master names the wallet's code is asked when the rows are read. If only
-- get methods can identify the receiver, what any account sent to it has a row: detections decide.
CREATE TABLE IF NOT EXISTS {db}.jetton_mints{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the wallet.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the wallet.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the transaction that received the message.' CODEC(Delta, ZSTD(1)),
    hash FixedString(32) COMMENT 'Hash of that transaction.' CODEC(LZ4),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    aborted Bool COMMENT 'That transaction was aborted.' CODEC(ZSTD(1)),
    is_known Bool COMMENT 'The data of the wallet names the sender as its master.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the sender, the master.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the sender, the master.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that the master must name.' CODEC(LZ4),
    has_owner Bool COMMENT 'There is a known owner of the wallet.' CODEC(ZSTD(1)),
    owner_workchain Int32 COMMENT 'Workchain of the known owner of the wallet; 0 for none.' CODEC(ZSTD(1)),
    owner FixedString(32) COMMENT 'Account id of the known owner of the wallet; zeros for none.' CODEC(ZSTD(1)),
    query_id UInt64 COMMENT 'query_id of the message.' CODEC(ZSTD(1)),
    amount UInt256 COMMENT 'Jettons in smallest units.' CODEC(ZSTD(1)),
    has_response Bool COMMENT 'There is a receiver of the excess.' CODEC(ZSTD(1)),
    response_workchain Int32 COMMENT 'Workchain of the receiver of the excess; 0 for none.' CODEC(ZSTD(1)),
    response FixedString(32) COMMENT 'Account id of the receiver of the excess; zeros for none.' CODEC(ZSTD(1)),
    forward_amount UInt128 COMMENT 'Value forwarded to the owner, nanotons.' CODEC(ZSTD(1)),
    forward_payload String COMMENT 'Forward payload as a bag of cells; empty for none or an invalid one.' CODEC(ZSTD(1)),
    INDEX by_now now TYPE minmax GRANULARITY 1,
    INDEX by_hash base64Encode(hash) TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_account toNullable(concat(toString(workchain), ':', hex(account))) TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_owner if(has_owner, concat(toString(owner_workchain), ':', hex(owner)), NULL) TYPE bloom_filter(0.001) GRANULARITY 1,
    INDEX by_parent toNullable(concat(toString(parent_workchain), ':', hex(parent))) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:MergeTree}
ORDER BY (lt, account, workchain)
SETTINGS index_granularity = 1024
COMMENT 'Messages internal_transfer that a jetton wallet received from its master. Under a code whose data is not read, the message may be that of another wallet, and get methods decide. Rule: TEP-74.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.jetton_mints_mv{cluster} TO {db}.jetton_mints AS
SELECT *
FROM {db}.land_jetton_mints;
