-- Data of jetton masters, one row a change of the master's state. Names come from the chain, or from the document that its link names. Of a contract that only get methods identify, a row has a state that was examined: several changes may have one row.
-- reads: base contracts
-- adds: detections
SELECT
    concat(toString(s.workchain), ':', hex(s.account)) AS address, -- Jetton master
    toNullable(toInt32(s.now)) AS update_time_onchain, -- Time of the change, Unix seconds
    nullIf(toInt32(ifNull(c.at, 0)), 0) AS update_time_metadata, -- Time at which the document was read, Unix seconds; null if none was read
    toNullable(s.flag) AS mintable, -- True if more can be minted
    if(s.has_owner, concat(toString(s.owner_workchain), ':', hex(s.owner)), NULL) AS admin_address, -- Administrator; null without one
    nullIf(s.content, '') AS jetton_content_onchain, -- Content on the chain, JSON text
    {hash s.child_code} AS jetton_wallet_code_hash, -- Hash of the code of its wallets
    {hash s.code_hash} AS code_hash, -- Hash of the master's code
    toNullable(toInt32(multiIf(s.document = '', 0, length(ifNull(c.content, '')) > 0, 1, ifNull(c.failures, 0) > 0, -1, 0))) AS metadata_status, -- Document off the chain: 1 read, -1 failed, 0 not read or none
    {jetton_field symbol} AS symbol, -- Symbol
    {jetton_field name} AS name, -- Name
    {jetton_field description} AS description, -- Description
    {jetton_field image} AS image, -- Link to the image
    {jetton_field image_data} AS image_data, -- Image, base64
    toNullable(toInt32OrDefault({jetton_field decimals}, toInt32(9))) AS decimals, -- Decimals of an amount; 9 by default
    toNullable(concat('{"symbol":"', {jetton_source symbol}, '","name":"', {jetton_source name}, '","description":"', {jetton_source description}, '","image":"', {jetton_source image}, '","image_data":"', {jetton_source image_data}, '","decimals":"', {jetton_source decimals}, '"}')) AS sources, -- Source of each field, JSON text: onchain, offchain or empty
    CAST(NULL, 'Nullable(String)') AS tonapi_image_url, -- Always null: the link belongs to another service's cache
    toDateTime(s.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(s.now, 'UTC')) AS block_date, -- Date of the change, UTC
    toDate(toDateTime(s.now, 'UTC')) AS adding_date -- Date of the change, UTC: the lake's partition
FROM {token_changes jetton_master} AS s
LEFT ANY JOIN (SELECT k.link AS link, argMax(k.content, k.at) AS content, argMax(k.failures, k.at) AS failures, toUnixTimestamp(max(k.at)) AS at FROM {network}.token_contents AS k GROUP BY k.link) AS c ON c.link = s.document
