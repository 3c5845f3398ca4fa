SELECT <transaction columns>
FROM base.transaction_payloads PREWHERE lt IN (SELECT lt
FROM base.transaction_hashes PREWHERE hash8 IN (14829735431805717965))
AND hash8 IN (14829735431805717965)
