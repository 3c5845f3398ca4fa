-- States of NFT items, one row a change. The partition date is timestamp. Contracts that only get methods identify are not listed.
-- reads: base contracts
SELECT
    concat(toString(s.workchain), ':', hex(s.account)) AS address, -- The item
    toNullable(s.flag) AS is_init, -- True if the item is initialised
    toNullable(toString(s.amount)) AS index, -- Index in the collection, decimal text
    if(s.has_parent, concat(toString(s.parent_workchain), ':', hex(s.parent)), NULL) AS collection_address, -- Collection; null without one
    if(s.has_owner, concat(toString(s.owner_workchain), ':', hex(s.owner)), NULL) AS owner_address, -- Owner; null if the item is not initialised
    nullIf(s.content, '') AS content_onchain, -- Content on the chain, JSON text
    toNullable(toInt32(t.now)) AS timestamp, -- Time of the change, Unix seconds
    toNullable(toInt64(s.lt)) AS lt, -- Logical time of the change
    toDateTime(t.now, 'UTC') AS block_time, -- Time of the change, UTC
    toDate(toDateTime(t.now, 'UTC')) AS block_date -- Date of the change, UTC
FROM {base}.transactions AS t
INNER JOIN {contracts}.token_states AS s ON s.mc_seqno = t.mc_seqno AND s.lt = t.lt AND s.account = t.account AND s.workchain = t.workchain
WHERE s.kind = 'nft_item' AND NOT s.is_gone AND {visible base t} AND {visible contracts s}
