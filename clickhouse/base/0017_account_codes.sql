-- The newest code hash of every account, for address books: a hundred accounts in one short read, so the key is a
-- number and what is read stands in one column, in small compressed blocks.
-- `newest`: account 32, workchain i32, lt u64, code_hash 32, integers little endian. Merging keeps the newest row.
CREATE TABLE IF NOT EXISTS {db}.account_codes{cluster}
(
    account8 UInt64 COMMENT 'First 8 bytes of account as a number, most significant first.' CODEC(LZ4),
    account FixedString(32) COMMENT 'Id of the account in its workchain.' CODEC(LZ4),
    workchain Int32 COMMENT 'Workchain of the account.' CODEC(ZSTD(1)),
    lt UInt64 COMMENT 'Logical time of the last transaction before this state (ShardAccount.last_trans_lt).' CODEC(Delta, ZSTD(1)),
    newest FixedString(76) COMMENT 'account 32, workchain i32, lt u64, code_hash 32, integers little endian.' CODEC(LZ4)
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account8, account, workchain)
SETTINGS index_granularity = 256, min_compress_block_size = 8192, max_compress_block_size = 32768, merge_selector_base = 20
COMMENT 'The newest code hash of every account.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_codes_mv{cluster} TO {db}.account_codes AS
SELECT reinterpretAsUInt64(reverse(substring(account, 1, 8))) AS account8, account, workchain, lt,
    toFixedString(concat(account, reinterpretAsFixedString(workchain), reinterpretAsFixedString(lt), code_hash), 76) AS newest
FROM {db}.land_account_states;
