-- Who holds most items of each NFT collection?
-- panel: table
SELECT
    collection_address AS collection,
    owner_address AS owner,
    count() AS items
FROM nft_items_latest_state
WHERE owner_address IS NOT NULL
GROUP BY collection, owner
ORDER BY items DESC, collection, owner
LIMIT 100
