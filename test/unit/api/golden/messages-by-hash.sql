SELECT {{messages}}
FROM base.messages PREWHERE created_lt IN (SELECT created_lt
FROM base.message_hashes PREWHERE hash8 IN (14829735431805717965))
AND hash8 IN (14829735431805717965)
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
-- visible_first = 10
-- visible_last = 90
