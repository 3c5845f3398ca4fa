SELECT seqno, to_timestamp(gen_utime), tx_count, gen_utime - extract(epoch FROM :to) - 43200 AS seconds_after
FROM blocks
WHERE workchain = -1 AND gen_utime >= extract(epoch FROM :to) AND gen_utime < extract(epoch FROM :to + 1)
ORDER BY abs(gen_utime - extract(epoch FROM :to) - 43200), seqno
LIMIT 10;
