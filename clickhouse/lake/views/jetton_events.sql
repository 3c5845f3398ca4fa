-- Transfers, burns and mints of jettons, read from the messages of jetton wallets. A mint is a message from the master. The partition date is utime.
-- reads: contracts
-- adds: traces detections
-- needs: contracts.jetton_mints.lt
SELECT
    v.type AS type, -- transfer, burn or mint
    v.tx_hash AS tx_hash, -- Hash of the transaction of the sender's jetton wallet; of the receiver's for a mint
    toInt64(v.lt) AS tx_lt, -- Logical time of that transaction
    toInt32(v.now) AS utime, -- Time of that transaction, Unix seconds
    v.trace_id AS trace_id, -- Trace of the transaction; null while the trace is not indexed
    v.aborted AS tx_aborted, -- True if the transaction was aborted, so nothing moved
    CAST(v.query_id, 'Nullable(Decimal(20, 0))') AS query_id, -- Number that the sender gave
    toNullable({decimal v.amount}) AS amount, -- Amount in the jetton's smallest unit
    v.sender AS source, -- Owner that sent; null for a mint, or if unknown
    v.receiver AS destination, -- Owner that received; null for a burn
    v.wallet AS jetton_wallet, -- Jetton wallet of the sender; of the receiver for a mint
    v.master AS jetton_master, -- Jetton master
    v.excess_receiver AS response_destination, -- Receiver of the excess
    nullIf(v.custom_payload, '') AS custom_payload, -- Custom payload as raw bytes of a bag of cells
    {decimal v.forward_value} AS forward_ton_amount, -- Value that was forwarded, nanotons; null for a burn
    nullIf(v.forward_payload, '') AS forward_payload, -- Forward payload as raw bytes of a bag of cells
    {text_comment v.forward_payload} AS comment, -- Text comment of the forward payload; null for another payload
    toDateTime(v.now, 'UTC') AS block_time, -- Time of the transaction, UTC
    toDate(toDateTime(v.now, 'UTC')) AS block_date -- Date of the transaction, UTC
FROM {jetton_moves} AS v
