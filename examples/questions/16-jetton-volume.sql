-- What is each jetton's daily transfer volume and number of senders, and what is minted and burned?
-- panel: timeseries
SELECT
    block_date AS day,
    jetton_master AS jetton,
    sumIf(amount, type = 'transfer') AS transferred,
    uniqExactIf(source, type = 'transfer') AS senders,
    sumIf(amount, type = 'mint') AS minted,
    sumIf(amount, type = 'burn') AS burned
FROM jetton_events
WHERE NOT tx_aborted AND block_date BETWEEN {from:Date} AND {to:Date}
GROUP BY day, jetton
ORDER BY day, jetton
