-- Transfers, burns and mints of jettons by day.
-- reads: contracts
-- adds: detections
-- needs: contracts.jetton_hours.hour
SELECT
    h.block_date AS day, -- The day, UTC
    h.type AS type, -- transfer, burn or mint
    h.jetton_master AS jetton_master, -- Master of the jetton
    toInt64(sum(h.events)) AS events, -- Messages that moved jettons
    toInt64(sum(h.aborted)) AS aborted, -- Messages whose transaction was aborted
    CAST(sum(h.amount), 'Nullable(Decimal(38, 0))') AS amount, -- Amount that moved, in the jetton's smallest unit
    toDateTime(h.block_date, 'UTC') AS block_time, -- Start of the day, UTC
    h.block_date AS block_date -- The day, UTC
FROM {views}.jettons_hourly AS h
GROUP BY h.block_date, h.type, h.jetton_master
