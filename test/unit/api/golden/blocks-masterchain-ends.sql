SELECT min(seqno), max(seqno), toString(count())
FROM base.blocks_by_id
WHERE workchain = -1
AND seqno BETWEEN {UInt32 10}
AND {UInt32 90}
