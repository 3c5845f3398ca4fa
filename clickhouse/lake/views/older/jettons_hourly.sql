-- Transfers and burns of jettons by hour. Mints are missing until `tonhouse replay contracts`.
-- reads: contracts
-- adds: detections
-- needs: contracts.jetton_hours.hour
SELECT
    j.hour AS hour, -- Start of the hour, UTC
    j.type AS type, -- transfer, burn or mint
    j.master AS jetton_master, -- Master of the jetton
    toInt64(sumIf(j.events, NOT j.aborted)) AS events, -- Messages that moved jettons
    toInt64(sumIf(j.events, j.aborted)) AS aborted, -- Messages whose transaction was aborted
    {decimal sumIf(j.amount,NOT(j.aborted))} AS amount, -- Amount that moved, in the jetton's smallest unit; null beyond 38 digits
    j.hour AS block_time, -- The same as hour
    toDate(j.hour) AS block_date -- Date of the hour, UTC
FROM {older_jetton_hours} AS j
GROUP BY j.hour, j.type, j.master
