-- Which bot or aggregator made trades, by the namespace of query_id, and how many users has it?
-- panel: table
SELECT
    bitShiftRight(toUInt64(ifNull(query_id, 0)), 32) AS namespace,
    platform_tag,
    referral_address,
    count() AS trades,
    uniqExact(trader_address) AS users,
    sum(volume_ton) AS volume_ton
FROM dex_trades
WHERE block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY namespace, platform_tag, referral_address
ORDER BY trades DESC
LIMIT 100
