-- Sums of jetton transfers and burns by hour, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.jetton_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    has_parent Bool COMMENT 'The wallets name a master.' CODEC(ZSTD(1)),
    parent FixedString(32) COMMENT 'Account id of the master; zeros for none.' CODEC(ZSTD(1)),
    parent_workchain Int32 COMMENT 'Workchain of the master.' CODEC(ZSTD(1)),
    child_code FixedString(32) COMMENT 'Hash of the code that the master must name.' CODEC(ZSTD(1)),
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) COMMENT 'What the messages do.' CODEC(ZSTD(1)),
    aborted Bool COMMENT 'The transactions were aborted.' CODEC(ZSTD(1)),
    wallet FixedString(32) COMMENT 'Account id of the wallet; zeros with a master.' CODEC(ZSTD(1)),
    wallet_workchain Int32 COMMENT 'Workchain of the wallet; 0 with a master.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    events Int64 COMMENT 'Messages.' CODEC(ZSTD(1)),
    amount Int256 COMMENT 'Amount in smallest units; amounts of more than 38 digits are left out.' CODEC(ZSTD(1)),
    INDEX by_parent concat(toString(parent_workchain), ':', hex(parent)) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:SummingMergeTree((events, amount))}
ORDER BY (hour, has_parent, parent, parent_workchain, child_code, kind, aborted, wallet, wallet_workchain, steps)
SETTINGS index_granularity = 1024
COMMENT 'Transfers and burns of jettons by hour and master, or by wallet if only get methods can identify the master.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.jetton_hours_mv{cluster} TO {db}.jetton_hours AS
SELECT toStartOfHour(toDateTime(now, 'UTC')) AS hour,
    has_parent,
    parent,
    parent_workchain,
    child_code,
    kind,
    aborted,
    if(has_parent, toFixedString('', 32), account) AS wallet,
    if(has_parent, 0, workchain) AS wallet_workchain,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(1), 'Int64') AS events,
    CAST(sum(if(amount < toUInt256('100000000000000000000000000000000000000'), toInt256(amount), toInt256(0))), 'Int256') AS amount
FROM {db}.land_token_transfers
WHERE kind IN ('jetton_transfer', 'jetton_burn')
GROUP BY hour, has_parent, parent, parent_workchain, child_code, kind, aborted, wallet, wallet_workchain, steps;
