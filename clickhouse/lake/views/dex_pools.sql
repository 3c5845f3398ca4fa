-- States of pools, one row a trade. The newest row of a pool is its present state. The partition date is last_updated.
-- reads: lake base
-- adds: contracts detections
SELECT
    t.pool AS pool,
    toString(t.project) AS project,
    toNullable(toInt32(t.version)) AS version,
    toNullable(toInt32({pool_start t.pool})) AS discovered_at, -- Time of the pool's first trade in the index, Unix seconds
    toNullable(least(t.sold, t.bought)) AS jetton_left, -- First token by address; TON is address zero, or the exchange's wrapped TON
    toNullable(greatest(t.sold, t.bought)) AS jetton_right, -- Second token by address
    {decimal if(t.sold<t.bought,t.reserve_sold,t.reserve_bought)} AS reserves_left, -- Reserve of the first token; null if the pool does not log it
    {decimal if(t.sold<t.bought,t.reserve_bought,t.reserve_sold)} AS reserves_right, -- Reserve of the second token; null if the pool does not log it
    CAST(NULL, 'Nullable(Decimal(38, 0))') AS total_supply, -- Always null: not read from the pool's state yet
    accurateCastOrNull(toDecimal128OrNull(toString(multiIf({is_dollar t.sold}, t.reserve_sold, {is_dollar t.bought}, t.reserve_bought, NULL)), 6) / 500000, 'Decimal(20, 6)') AS tvl_usd, -- Twice the reserve of a dollar token, dollars; null without one
    accurateCastOrNull(toDecimal128OrNull(toString(multiIf({is_ton t.sold}, t.reserve_sold, {is_ton t.bought}, t.reserve_bought, NULL)), 9) / 500000000, 'Decimal(20, 9)') AS tvl_ton, -- Twice the reserve of TON, TON; null without one
    toNullable(toInt32(t.time)) AS last_updated,
    CAST({is_ton t.sold} OR {is_ton t.bought} OR {is_dollar t.sold} OR {is_dollar t.bought}, 'Nullable(Bool)') AS is_liquid, -- True if one token is TON or a dollar token
    CAST(NULL, 'Nullable(Decimal(12, 10))') AS lp_fee, -- Always null: not read from the pool's state yet
    CAST(NULL, 'Nullable(Decimal(12, 10))') AS protocol_fee, -- Always null: not read from the pool's state yet
    CAST(NULL, 'Nullable(Decimal(12, 10))') AS referral_fee, -- Always null: not read from the pool's state yet
    toDateTime(t.time, 'UTC') AS block_time,
    toDate(toDateTime(t.time, 'UTC')) AS block_date
FROM {lake}.trades AS t
WHERE {known_trade t} AND {project_type t.project} = 'dex'
