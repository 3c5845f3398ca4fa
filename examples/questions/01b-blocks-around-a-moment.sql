-- Which masterchain blocks surround a moment, here the middle of the last day?
-- panel: table
SELECT
    seqno,
    block_time,
    tx_count,
    gen_utime - toUnixTimestamp(toDateTime({to:Date}, 'UTC')) - 43200 AS seconds_after
FROM blocks
WHERE workchain = -1 AND block_date = {to:Date}
ORDER BY abs(seconds_after), seqno
LIMIT 10
