SELECT <transaction columns>
FROM base.{{packed_transactions}} PREWHERE lt IN (SELECT lt
FROM base.transaction_hashes PREWHERE hash8 IN (14829735431805717965))
AND {{packed_hash8}} IN (14829735431805717965)
