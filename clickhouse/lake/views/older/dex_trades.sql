-- Trades at exchanges, one row a pool of a swap, and at launchpads. A trade counts only if its pool is a known pool of the project. The partition date is event_time.
-- reads: lake base
-- adds: contracts detections
SELECT
    t.tx_hash AS tx_hash,
    t.trace_id AS trace_id,
    {project_type t.project} AS project_type, -- dex or launchpad
    toString(t.project) AS project,
    toNullable(toInt32(t.version)) AS version,
    toInt32(t.time) AS event_time,
    'trade' AS event_type, -- trade; this version has no launches
    t.trader AS trader_address,
    t.pool AS pool_address,
    if((t.project = 'ston.fi' AND t.version = 2) OR t.project IN ('tonco', 'megaton'), nullIf(toString(t.router), ''), NULL) AS router_address, -- Router; null for exchanges without one, and for ston.fi 1
    t.sold AS token_sold_address,
    t.bought AS token_bought_address,
    {decimal t.amount_sold} AS amount_sold_raw,
    {decimal t.amount_bought} AS amount_bought_raw,
    nullIf(t.referral, '') AS referral_address, -- Referrer; null without one
    CAST(NULL, 'Nullable(String)') AS platform_tag, -- Always null in this version
    CAST(t.query_id, 'Nullable(Decimal(20, 0))') AS query_id,
    {volume_usd} AS volume_usd, -- Value of the side in a dollar token, dollars; null without one
    {volume_ton} AS volume_ton, -- Value of the side in TON, or by the price of a token on that day, TON; null without one
    toDateTime(t.time, 'UTC') AS block_time,
    toDate(toDateTime(t.time, 'UTC')) AS block_date
FROM {lake}.trades AS t
WHERE {known_trade t} AND t.sold != ''
