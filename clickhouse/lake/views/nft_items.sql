-- States of NFT items, one row a change. The partition date is timestamp. Of a contract that only get methods identify, a row has a state that was examined: several changes may have one row.
-- reads: base contracts
-- adds: detections
SELECT
    concat(toString(s.workchain), ':', hex(s.account)) AS address, -- The item
    toNullable(s.flag) AS is_init, -- True if the item is initialised
    toNullable(toString(s.amount)) AS index, -- Index in the collection, decimal text
    if(s.has_parent, concat(toString(s.parent_workchain), ':', hex(s.parent)), NULL) AS collection_address, -- Collection; null without one
    if(s.has_owner, concat(toString(s.owner_workchain), ':', hex(s.owner)), NULL) AS owner_address, -- Owner; null if the item is not initialised
    nullIf(s.content, '') AS content_onchain, -- Content on the chain, JSON text
    toNullable(toInt32(s.now)) AS timestamp, -- Time of the change, Unix seconds
    toNullable(toInt64(s.lt)) AS lt, -- Logical time of the change
    toDateTime(s.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(s.now, 'UTC')) AS block_date -- Date of the change, UTC
FROM {token_changes nft_item} AS s
