SELECT {{messages}}
FROM base.messages PREWHERE created_lt = 0
AND hash8 IN (SELECT hash8
FROM base.message_norm_hashes PREWHERE norm8 IN (14829735431805717965))
AND mc_seqno >= {visible_first:UInt32}
AND mc_seqno <= {visible_last:UInt32}
-- visible_first = 10
-- visible_last = 90
