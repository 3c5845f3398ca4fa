-- Changes of the number of holders by hour, a row for a hundred masterchain steps (src/tables/sums/sums.ts).
CREATE TABLE IF NOT EXISTS {db}.holder_hours{cluster}
(
    hour DateTime('UTC') COMMENT 'Start of the hour, UTC.' CODEC(ZSTD(1)),
    master FixedString(32) COMMENT 'Account id of the master.' CODEC(ZSTD(1)),
    master_workchain Int32 COMMENT 'Workchain of the master.' CODEC(ZSTD(1)),
    code FixedString(32) COMMENT 'Hash of the code that the master must name.' CODEC(ZSTD(1)),
    steps UInt32 COMMENT 'Masterchain steps of the row: mc_seqno / 100, rounded down.' CODEC(ZSTD(1)),
    holders Int64 COMMENT 'Wallets that got a balance, less those that lost it.' CODEC(ZSTD(1)),
    INDEX by_master concat(toString(master_workchain), ':', hex(master)) TYPE bloom_filter(0.001) GRANULARITY 1
)
ENGINE = {engine:SummingMergeTree((holders))}
ORDER BY (hour, master, master_workchain, code, steps)
SETTINGS index_granularity = 1024
COMMENT 'Changes of the number of jetton wallets that are not empty, by hour and master.';

CREATE MATERIALIZED VIEW IF NOT EXISTS {db}.holder_hours_mv{cluster} TO {db}.holder_hours AS
SELECT toStartOfHour(toDateTime(now, 'UTC')) AS hour,
    change.1 AS master,
    change.2 AS master_workchain,
    change.3 AS code,
    intDiv(mc_seqno, 100) AS steps,
    CAST(sum(change.4), 'Int64') AS holders
FROM {db}.land_token_states ARRAY JOIN [(parent, parent_workchain, child_code, toInt64(NOT is_gone AND has_parent AND amount > 0)),
    (had_parent, had_parent_workchain, had_child_code, -toInt64(had AND had_amount > 0))] AS change
WHERE kind = 'jetton_wallet'
GROUP BY hour, master, master_workchain, code, steps;
