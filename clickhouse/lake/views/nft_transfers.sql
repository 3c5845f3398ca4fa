-- Transfers of NFT items, read from the messages of the items. The partition date is tx_now.
-- reads: contracts
-- adds: traces detections
SELECT
    base64Encode(e.hash) AS tx_hash, -- Hash of the item's transaction
    toInt64(e.lt) AS tx_lt, -- Logical time of that transaction
    toInt32(e.now) AS tx_now, -- Time of that transaction, Unix seconds
    e.aborted AS tx_aborted, -- True if the transaction was aborted, so nothing moved
    CAST(e.query_id, 'Nullable(Decimal(20, 0))') AS query_id, -- query_id of the message
    toNullable(concat(toString(e.workchain), ':', hex(e.account))) AS nft_item_address, -- The item
    toNullable(toString(e.amount)) AS nft_item_index, -- Index of the item in its collection, decimal text
    if(e.has_parent, concat(toString(e.parent_workchain), ':', hex(e.parent)), NULL) AS nft_collection_address, -- Collection; null without one
    if(e.has_source, concat(toString(e.source_workchain), ':', hex(e.source)), NULL) AS old_owner, -- Owner before
    if(e.has_destination, concat(toString(e.destination_workchain), ':', hex(e.destination)), NULL) AS new_owner, -- Owner after
    if(e.has_response, concat(toString(e.response_workchain), ':', hex(e.response)), NULL) AS response_destination, -- Receiver of the excess
    nullIf(e.custom_payload, '') AS custom_payload, -- Custom payload as raw bytes of a bag of cells; null for none
    toNullable({decimal e.forward_amount}) AS forward_amount, -- Value forwarded to the new owner, nanotons
    nullIf(e.forward_payload, '') AS forward_payload, -- Forward payload as raw bytes of a bag of cells; null for none
    {text_comment e.forward_payload} AS comment, -- Text comment of the forward payload; null for another payload
    {trace_id e.account e.workchain e.lt} AS trace_id, -- Trace of the transaction; null while the trace is not indexed
    toDateTime(e.now, 'UTC') AS block_time, -- Time of the transaction, UTC
    toDate(toDateTime(e.now, 'UTC')) AS block_date -- Date of the transaction, UTC
FROM {nft_moves} AS e
