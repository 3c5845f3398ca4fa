-- Names of TON DNS in their newest state.
-- rows: newest
-- reads: contracts
-- adds: detections
SELECT
    d.domain AS domain, -- The name, with its zone: alice.ton
    concat(toString(d.workchain), ':', hex(d.account)) AS nft_item_address, -- NFT item of the name
    if(d.has_owner, concat(toString(d.owner_workchain), ':', hex(d.owner)), NULL) AS nft_item_owner, -- Owner of the item
    if(d.has_parent, concat(toString(d.parent_workchain), ':', hex(d.parent)), NULL) AS collection_address, -- Collection of the item
    nullIf(JSONExtractString(d.details, 'dns_wallet'), '') AS dns_wallet, -- Record wallet: the account that the name points at
    nullIf(JSONExtractString(d.details, 'dns_next_resolver'), '') AS dns_next_resolver, -- Record of the next resolver
    nullIf(JSONExtractString(d.details, 'dns_site_adnl'), '') AS dns_site_adnl, -- Record of the site's ADNL address
    nullIf(JSONExtractString(d.details, 'dns_storage_bag_id'), '') AS dns_storage_bag_id, -- Record of the storage bag
    toInt64(d.lt) AS lt -- Logical time of the last change
FROM {newest_contracts dns_item teleitem} AS d
WHERE d.domain != ''
