-- Data of NFT items and collections, one row a change of the contract's state. Of a contract that only get methods identify, a row has a state that was examined: several changes may have one row.
-- reads: base contracts
-- adds: detections
SELECT
    if(s.kind = 'nft_item', 'item', 'collection') AS type, -- item or collection
    concat(toString(s.workchain), ':', hex(s.account)) AS address, -- The item or collection
    toNullable(toInt32(s.now)) AS update_time_onchain, -- Time of the change, Unix seconds
    nullIf(toInt32(ifNull(c.at, 0)), 0) AS update_time_metadata, -- Time at which the document was read, Unix seconds; null if none was read
    if(s.has_parent, concat(toString(s.parent_workchain), ':', hex(s.parent)), NULL) AS parent_address, -- Collection of an item; null without one
    nullIf(s.content, '') AS content_onchain, -- Content on the chain, JSON text
    toNullable(toInt32(multiIf(s.document = '', 0, length(ifNull(c.content, '')) > 0, 1, ifNull(c.failures, 0) > 0, -1, 0))) AS metadata_status, -- Document off the chain: 1 read, -1 failed, 0 not read or none
    {jetton_field name} AS name, -- Name
    {jetton_field description} AS description, -- Description
    {jetton_field image} AS image, -- Link to the image
    {jetton_field image_data} AS image_data, -- Image, base64
    nullIf(if(JSONHas(s.content, 'attributes'), JSONExtractRaw(s.content, 'attributes'), JSONExtractRaw(ifNull(c.content, ''), 'attributes')), '') AS attributes, -- Attributes, JSON text
    toNullable(concat('{"name":"', {jetton_source name}, '","description":"', {jetton_source description}, '","image":"', {jetton_source image}, '","image_data":"', {jetton_source image_data}, '"}')) AS sources, -- Source of each field, JSON text: onchain, offchain or empty
    CAST(NULL, 'Nullable(String)') AS tonapi_image_url, -- Always null: the link belongs to another service's cache
    toDateTime(s.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(s.now, 'UTC')) AS block_date, -- Date of the change, UTC
    toDate(toDateTime(s.now, 'UTC')) AS adding_date -- Date of the change, UTC: the lake's partition
FROM {token_changes nft_item nft_collection} AS s
LEFT ANY JOIN (SELECT k.link AS link, argMax(k.content, k.at) AS content, argMax(k.failures, k.at) AS failures, toUnixTimestamp(max(k.at)) AS at FROM {network}.token_contents AS k GROUP BY k.link) AS c ON c.link = s.document
