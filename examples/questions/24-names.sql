-- Who owns which .ton name, and where does it point?
-- panel: table
SELECT
    domain,
    nft_item_owner AS owner,
    dns_wallet AS wallet,
    dns_site_adnl AS site,
    collection_address AS collection
FROM dns_records
ORDER BY domain
LIMIT 1000
