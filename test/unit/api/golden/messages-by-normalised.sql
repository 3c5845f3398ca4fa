SELECT <message payload>
FROM base.messages PREWHERE created_lt = 0
AND hash8 IN (SELECT hash8
FROM base.message_norm_hashes PREWHERE norm8 IN (14829735431805717965))
