-- The newest data of each NFT item and collection.
-- rows: newest
-- reads: base contracts
SELECT
    n.type AS type, -- item or collection
    n.address AS address, -- The item or collection
    n.update_time_onchain AS update_time_onchain, -- Time of the change, Unix seconds
    n.update_time_metadata AS update_time_metadata, -- Time at which the document was read, Unix seconds; null if none was read
    n.parent_address AS parent_address, -- Collection of an item; null without one
    n.content_onchain AS content_onchain, -- Content on the chain, JSON text
    n.metadata_status AS metadata_status, -- Document off the chain: 1 read, -1 failed, 0 not read or none
    n.name AS name, -- Name
    n.description AS description, -- Description
    n.image AS image, -- Link to the image
    n.image_data AS image_data, -- Image, base64
    n.attributes AS attributes, -- Attributes, JSON text
    n.sources AS sources, -- Source of each field, JSON text: onchain, offchain or empty
    n.tonapi_image_url AS tonapi_image_url, -- Always null: the link belongs to another service's cache
    n.block_time AS block_time, -- Time of the change, UTC
    n.block_date AS block_date, -- Date of the change, UTC
    n.adding_date AS adding_date -- Date of the change, UTC: the lake's partition
FROM {views}.nft_metadata AS n
ORDER BY n.update_time_onchain DESC
LIMIT 1 BY n.address
