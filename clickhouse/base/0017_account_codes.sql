-- The newest code hash of every account, for address books: a hundred accounts in one short read, so the key is a
-- number and what is read stands in one column, in small compressed blocks.
-- `newest`: account 32, workchain i32, lt u64, code_hash 32, integers little endian. Merging keeps the newest row.
CREATE TABLE IF NOT EXISTS {db}.account_codes{cluster}
(
    account8 UInt64 CODEC(LZ4),
    account FixedString(32) CODEC(LZ4),
    workchain Int32 CODEC(ZSTD(1)),
    lt UInt64 CODEC(Delta, ZSTD(1)),
    newest FixedString(76) CODEC(LZ4)
)
ENGINE = {engine:ReplacingMergeTree(lt)}
ORDER BY (account8, account, workchain)
SETTINGS index_granularity = 256, min_compress_block_size = 8192, max_compress_block_size = 32768, merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.account_codes_mv{cluster} TO {db}.account_codes AS
SELECT reinterpretAsUInt64(reverse(substring(account, 1, 8))) AS account8, account, workchain, lt,
    toFixedString(concat(account, reinterpretAsFixedString(workchain), reinterpretAsFixedString(lt), code_hash), 76) AS newest
FROM {db}.land_account_states;
