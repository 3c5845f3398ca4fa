SELECT min(start_lt), max(end_lt)
FROM base.blocks PREWHERE mc_seqno = {UInt32 50}
