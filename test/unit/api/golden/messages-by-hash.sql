SELECT <message payload>
FROM base.messages PREWHERE created_lt IN (SELECT created_lt
FROM base.message_hashes PREWHERE hash8 IN (14829735431805717965))
AND hash8 IN (14829735431805717965)
