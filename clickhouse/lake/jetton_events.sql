-- Transfers and burns of jettons, read from the messages of jetton wallets. Mints are not listed yet. The partition date is utime.
-- reads: contracts
-- adds: traces
SELECT
    if(e.kind = 'jetton_burn', 'burn', 'transfer') AS type, -- transfer or burn
    base64Encode(e.hash) AS tx_hash, -- Hash of the transaction of the sender's jetton wallet
    toInt64(e.lt) AS tx_lt, -- Logical time of that transaction
    toInt32(e.now) AS utime, -- Time of that transaction, Unix seconds
    {trace_id e.account e.workchain e.lt} AS trace_id, -- Trace of the transaction; null while the trace is not indexed
    e.aborted AS tx_aborted, -- True if the transaction was aborted, so nothing moved
    CAST(e.query_id, 'Nullable(Decimal(20, 0))') AS query_id, -- Number that the sender gave
    toNullable({decimal e.amount}) AS amount, -- Amount in the jetton's smallest unit
    if(e.has_source, concat(toString(e.source_workchain), ':', hex(e.source)), NULL) AS source, -- Owner that sent; null if unknown
    if(e.has_destination, concat(toString(e.destination_workchain), ':', hex(e.destination)), NULL) AS destination, -- Owner that received; null for a burn
    toNullable(concat(toString(e.workchain), ':', hex(e.account))) AS jetton_wallet, -- Jetton wallet of the sender
    toNullable(concat(toString(e.parent_workchain), ':', hex(e.parent))) AS jetton_master, -- Jetton master
    if(e.has_response, concat(toString(e.response_workchain), ':', hex(e.response)), NULL) AS response_destination, -- Receiver of the excess
    nullIf(e.custom_payload, '') AS custom_payload, -- Custom payload as raw bytes of a bag of cells
    if(e.kind = 'jetton_burn', NULL, {decimal e.forward_amount}) AS forward_ton_amount, -- Value that was forwarded, nanotons; null for a burn
    nullIf(e.forward_payload, '') AS forward_payload, -- Forward payload as raw bytes of a bag of cells
    {text_comment e.forward_payload} AS comment, -- Text comment of the forward payload; null for another payload
    toDateTime(e.now, 'UTC') AS block_time, -- Time of the transaction, UTC
    toDate(toDateTime(e.now, 'UTC')) AS block_date -- Date of the transaction, UTC
FROM {contracts}.token_transfers AS e
WHERE e.kind IN ('jetton_transfer', 'jetton_burn') AND e.has_parent AND {visible contracts e}
    AND (e.parent, e.parent_workchain, e.child_code) IN (SELECT account, workchain, child_code FROM {contracts}.token_firsts WHERE kind = 'jetton_master')
