-- What do launchpads trade per day, and which tokens left for a DEX?
-- panel: timeseries
-- rows: none on a local chain
SELECT
    block_date AS day,
    project,
    countIf(event_type = 'trade') AS trades,
    uniqExact(trader_address) AS traders,
    uniqExact(pool_address) AS tokens,
    sum(volume_ton) AS volume_ton,
    groupUniqArrayIf(pool_address, event_type = 'launch') AS left_for_a_dex
FROM dex_trades
WHERE project_type = 'launchpad' AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, project
ORDER BY day, project
