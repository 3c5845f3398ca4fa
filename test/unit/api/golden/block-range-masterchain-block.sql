SELECT min(start_lt), max(end_lt)
FROM base.blocks PREWHERE mc_seqno = {mc_seqno:UInt32}
-- mc_seqno = 50
