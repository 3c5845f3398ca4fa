-- The newest state of every token contract. Merging keeps one row an account and kind. `payload` holds all that an answer says
-- (src/api/entities/tokens/model.ts); the other columns are aliases of it. Small blocks and granules, since rows are read one by
-- one. The index finds what steps above the visible range changed.
CREATE TABLE IF NOT EXISTS {db}.tokens_latest{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the contract.' CODEC(LZ4),
    account FixedString(32) COMMENT 'Account id of the contract.' CODEC(LZ4),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.' CODEC(LZ4),
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if unknown. Always 0 in `detections`.' CODEC(LZ4),
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.' CODEC(LZ4),
    is_gone Bool COMMENT 'The account is no longer a contract of this kind.' CODEC(LZ4),
    since UInt32 ALIAS reinterpretAsUInt32(substring(payload, 20, 4)) COMMENT 'Masterchain step in which the contract was first seen.',
    code_hash FixedString(32) ALIAS toFixedString(substring(payload, 24, 32), 32) COMMENT 'Hash of the code.',
    data_hash FixedString(32) ALIAS toFixedString(substring(payload, 56, 32), 32) COMMENT 'Hash of the data.',
    amount UInt256 ALIAS reinterpretAsUInt256(substring(payload, 88, 32)) COMMENT 'Supply, balance, next index (-1 as 2^256 - 1) or index, by kind. Smallest units.',
    flag Bool ALIAS substring(payload, 120, 1) = char(1) COMMENT 'A master is mintable, an item is initialised, a collection has the beginning of its items\' links, a wallet has an unclaimed mintless amount.',
    has_owner Bool ALIAS substring(payload, 121, 1) = char(1) COMMENT 'There is a admin or owner.',
    owner_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 122, 4)) COMMENT 'Workchain of the admin or owner; 0 for none.',
    owner FixedString(32) ALIAS toFixedString(substring(payload, 126, 32), 32) COMMENT 'Account id of the admin or owner; zeros for none.',
    has_parent Bool ALIAS substring(payload, 158, 1) = char(1) COMMENT 'There is a master or collection.',
    parent_workchain Int32 ALIAS reinterpretAsInt32(substring(payload, 159, 4)) COMMENT 'Workchain of the master or collection; 0 for none.',
    parent FixedString(32) ALIAS toFixedString(substring(payload, 163, 32), 32) COMMENT 'Account id of the master or collection; zeros for none.',
    child_code FixedString(32) ALIAS toFixedString(substring(payload, 195, 32), 32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.',
    content String ALIAS substring(payload, 235, reinterpretAsUInt32(substring(payload, 227, 4))) COMMENT 'Content as JSON; empty if the store does not have the cell.',
    link String ALIAS substring(payload, 235 + reinterpretAsUInt32(substring(payload, 227, 4)), reinterpretAsUInt32(substring(payload, 231, 4))) COMMENT 'Link that the items of a collection begin with, or the end of an item\'s link.',
    payload String COMMENT 'All that an answer shows of the contract, packed (TOKEN_PAYLOAD).' CODEC(LZ4),
    INDEX by_step mc_seqno TYPE minmax GRANULARITY 32
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account, workchain, kind)
SETTINGS index_granularity = 64, min_compress_block_size = 4096, merge_selector_base = 20
COMMENT 'The newest state of every token contract.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.tokens_latest_mv{cluster} TO {db}.tokens_latest AS
SELECT
    mc_seqno,
    workchain,
    account,
    lt,
    now,
    kind,
    is_gone,
    concat(char(1), formatRow('RowBinary', mc_seqno, workchain, lt, kind, is_gone, since, code_hash, data_hash, amount, flag, has_owner, owner_workchain, owner, has_parent, parent_workchain, parent, child_code, toUInt32(length(content)), toUInt32(length(link))), content, link) AS payload
FROM {db}.land_token_states;
