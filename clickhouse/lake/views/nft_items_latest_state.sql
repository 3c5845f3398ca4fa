-- The newest state of each NFT item.
-- rows: newest
-- reads: base contracts
SELECT
    n.address AS address, -- The item
    n.is_init AS is_init, -- True if the item is initialised
    n.index AS index, -- Index in the collection, decimal text
    n.collection_address AS collection_address, -- Collection; null without one
    n.owner_address AS owner_address, -- Owner; null if the item is not initialised
    n.content_onchain AS content_onchain, -- Content on the chain, JSON text
    n.timestamp AS timestamp, -- Time of the change, Unix seconds
    n.lt AS lt, -- Logical time of the change
    n.block_time AS block_time, -- Time of the change, UTC
    n.block_date AS block_date -- Date of the change, UTC
FROM {views}.nft_items AS n
ORDER BY n.lt DESC
LIMIT 1 BY n.address
