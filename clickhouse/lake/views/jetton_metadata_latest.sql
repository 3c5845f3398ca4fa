-- The newest data of each jetton master.
-- rows: newest
-- reads: base contracts
SELECT
    n.address AS address, -- Jetton master
    n.update_time_onchain AS update_time_onchain, -- Time of the change, Unix seconds
    n.update_time_metadata AS update_time_metadata, -- Time at which the document was read, Unix seconds; null if none was read
    n.mintable AS mintable, -- True if more can be minted
    n.admin_address AS admin_address, -- Administrator; null without one
    n.jetton_content_onchain AS jetton_content_onchain, -- Content on the chain, JSON text
    n.jetton_wallet_code_hash AS jetton_wallet_code_hash, -- Hash of the code of its wallets
    n.code_hash AS code_hash, -- Hash of the master's code
    n.metadata_status AS metadata_status, -- Document off the chain: 1 read, -1 failed, 0 not read or none
    n.symbol AS symbol, -- Symbol
    n.name AS name, -- Name
    n.description AS description, -- Description
    n.image AS image, -- Link to the image
    n.image_data AS image_data, -- Image, base64
    n.decimals AS decimals, -- Decimals of an amount; 9 by default
    n.sources AS sources, -- Source of each field, JSON text: onchain, offchain or empty
    n.tonapi_image_url AS tonapi_image_url, -- Always null: the link belongs to another service's cache
    n.block_time AS block_time, -- Time of the change, UTC
    n.block_date AS block_date, -- Date of the change, UTC
    n.adding_date AS adding_date -- Date of the change, UTC: the lake's partition
FROM {views}.jetton_metadata AS n
ORDER BY n.update_time_onchain DESC
LIMIT 1 BY n.address
