SELECT min(seqno), max(seqno), toString(count())
FROM base.blocks_by_id
WHERE workchain = -1
AND seqno BETWEEN {first:UInt32}
AND {last:UInt32}
-- first = 10
-- last = 90
