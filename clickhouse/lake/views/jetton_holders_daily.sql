-- Wallets of each jetton that are not empty, at the end of each day that changed their number. Wallets from before the index count from its first day.
-- reads: base contracts
-- adds: detections
-- needs: contracts.holder_hours.hour
SELECT
    d.day AS day, -- The day, UTC; a day without a row has the number of the day before
    d.master AS jetton_master, -- Master of the jetton
    toInt64(sum(d.change) OVER (PARTITION BY d.master ORDER BY d.day)) AS holders, -- Wallets that are not empty at the end of the day
    toInt64(d.change) AS change, -- Change on the day
    toDateTime(d.day, 'UTC') AS block_time, -- Start of the day, UTC
    d.day AS block_date -- The day, UTC
FROM
(
    SELECT
        greatest(c.day, (SELECT toDate(toDateTime(min(b.gen_utime), 'UTC')) FROM {base}.blocks AS b WHERE {visible base b})) AS day,
        c.master AS master, sum(c.change) AS change
    FROM
    (
        SELECT
            toDate(s.hour) AS day, concat(toString(s.master_workchain), ':', hex(s.master)) AS master, s.holders AS change
        FROM {sums contracts holder_hours} AS s
        WHERE (s.master, s.master_workchain, s.code) IN ({named_wallet_codes})
        {detected_holders}
    ) AS c
    GROUP BY day, c.master
) AS d
WHERE d.change != 0
