-- Received messages that move tokens. Whether the receiver's master or collection knows it is asked when they are read; a receiver
-- under a code whose data is not read has no parent here, and its own code as child_code. Of a destination or response that is no
-- account, has_… is false and …_workchain the form of the address: 0 addr_none, 1 addr_extern, 2 addr_var. `payload` holds all that an
-- answer says (src/api/entities/transfers/model.ts); what is not filtered by or summed is an alias of it.
CREATE TABLE IF NOT EXISTS {db}.token_transfers{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) COMMENT 'What the message does.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the wallet or item.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the wallet or item.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the transaction that received the message.' CODEC(Delta, ZSTD(1)),
    hash FixedString(32) COMMENT 'Hash of that transaction.' CODEC(LZ4),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds.' CODEC(Delta, ZSTD(1)),
    aborted Bool COMMENT 'That transaction was aborted.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'There is a master or collection.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that the master or collection must name.' CODEC(LZ4),
    query_id UInt64 ALIAS reinterpretAsUInt64(substring(payload, 124, 8)) COMMENT 'query_id of the message.',
    amount UInt256 COMMENT 'Jettons in smallest units; the index of an item.' CODEC(ZSTD(1)),
    has_source Bool COMMENT 'There is a known source.' CODEC(ZSTD(1)),
    source_workchain Int32 COMMENT 'Workchain of the known source; 0 for none.' CODEC(ZSTD(1)),
    source FixedString(32) COMMENT 'Account id of the known source; zeros for none.' CODEC(ZSTD(1)),
    has_destination Bool COMMENT 'The destination is an account.' CODEC(ZSTD(1)),
    destination_workchain Int32 COMMENT 'Workchain of the destination, or its form if it is no account: 0 addr_none, 1 addr_extern, 2 addr_var.' CODEC(ZSTD(1)),
    destination FixedString(32) COMMENT 'Account id of the destination; zeros if it is no account.' CODEC(ZSTD(1)),
    has_response Bool ALIAS substring(payload, 238, 1) = char(1) COMMENT 'The response destination is an account.',
    response_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 239, 4)) COMMENT 'Workchain of the response destination, or its form if it is no account, as destination_workchain.',
    response FixedString(32) ALIAS toFixedString(substring(payload, 243, 32), 32) COMMENT 'Account id of the response destination; zeros if it is no account.',
    forward_amount UInt128 ALIAS reinterpretAsUInt128(substring(payload, 275, 16)) COMMENT 'Value forwarded to the destination, nanotons.',
    custom_payload String ALIAS substring(payload, 299, reinterpretAsUInt32(substring(payload, 291, 4))) COMMENT 'Custom payload as a bag of cells; empty for none.',
    forward_payload String ALIAS substring(payload, 299 + reinterpretAsUInt32(substring(payload, 291, 4)), reinterpretAsUInt32(substring(payload, 295, 4))) COMMENT 'Forward payload as a bag of cells; empty for none.',
    payload String COMMENT 'All that an answer shows of the transfer, packed (TRANSFER_PAYLOAD).' CODEC(ZSTD(1)),
    INDEX by_now now TYPE minmax GRANULARITY 2,
    INDEX by_hash base64Encode(hash) TYPE bloom_filter(0.001) GRANULARITY 8,
    INDEX by_account toNullable(concat(toString(workchain), ':', hex(account))) TYPE bloom_filter(0.001) GRANULARITY 8,
    INDEX by_source if(has_source, concat(toString(source_workchain), ':', hex(source)), NULL) TYPE bloom_filter(0.001) GRANULARITY 8,
    INDEX by_destination if(has_destination, concat(toString(destination_workchain), ':', hex(destination)), NULL) TYPE bloom_filter(0.001) GRANULARITY 8,
    INDEX by_parent toNullable(concat(toString(parent_workchain), ':', hex(parent))) TYPE bloom_filter(0.001) GRANULARITY 8
)
ENGINE = {engine:MergeTree}
ORDER BY (kind, lt, account, workchain)
SETTINGS index_granularity = 128, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'Received messages that move tokens, by kind and logical time.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_transfers_mv{cluster} TO {db}.token_transfers AS
SELECT
    mc_seqno,
    part,
    kind,
    workchain,
    account,
    lt,
    hash,
    now,
    aborted,
    has_parent,
    parent_workchain,
    parent,
    child_code,
    amount,
    has_source,
    source_workchain,
    source,
    has_destination,
    destination_workchain,
    destination,
    concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, hash, now, aborted, has_parent, parent_workchain, parent, child_code, query_id, amount, has_source, source_workchain, source, has_destination, destination_workchain, destination, has_response, response_workchain, response, forward_amount, toUInt32(length(custom_payload)), toUInt32(length(forward_payload))), custom_payload, forward_payload) AS payload
FROM {db}.land_token_transfers;

-- The same by each account that takes part: four rows a transfer, of its receiver, parent, source and destination.
CREATE TABLE IF NOT EXISTS {db}.token_transfer_keys{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(Delta, ZSTD(1)),
    part UInt16 COMMENT 'Partition of the projection that wrote the row.' CODEC(ZSTD(1)),
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) COMMENT 'What the message does.' CODEC(ZSTD(1)),
    role Enum8('account' = 0, 'parent' = 1, 'source' = 2, 'destination' = 3) COMMENT 'What the account is in the transfer.' CODEC(ZSTD(1)),
    key FixedString(32) COMMENT 'Account id; zeros for none.' CODEC(ZSTD(1)),
    workchain Int32 COMMENT 'Workchain of the wallet or item.' CODEC(ZSTD(1)),
    account FixedString(32) COMMENT 'Account id of the wallet or item.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the transaction that received the message.' CODEC(Delta, ZSTD(1)),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds.' CODEC(Delta, ZSTD(1))
)
ENGINE = {engine:MergeTree}
ORDER BY (key, kind, role, lt, account)
SETTINGS index_granularity = 1024, merge_selector_base = 20
COMMENT 'Transfers by each account that takes part.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.token_transfer_keys_mv{cluster} TO {db}.token_transfer_keys AS
SELECT mc_seqno, part, kind, one.1 AS role, one.2 AS key, workchain, account, lt, now
FROM
(
    SELECT mc_seqno, part, kind, workchain, account, lt, now, arrayJoin([
        ('account', account), ('parent', parent), ('source', source), ('destination', destination)]) AS one
    FROM {db}.land_token_transfers
);
