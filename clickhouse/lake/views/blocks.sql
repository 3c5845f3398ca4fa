-- Blocks of the masterchain and of all shards. The partition date is gen_utime.
-- reads: base
SELECT
    toNullable(b.workchain) AS workchain,
    toNullable(toInt64(b.shard)) AS shard, -- Shard prefix with its marker bit, as a signed number
    toNullable(toInt32(b.seqno)) AS seqno,
    base64Encode(b.root_hash) AS root_hash,
    base64Encode(b.file_hash) AS file_hash,
    toNullable(toInt32(-1)) AS mc_block_workchain, -- Workchain of the masterchain block that committed this block: always -1
    toNullable(toInt64(-9223372036854775808)) AS mc_block_shard, -- Shard of that masterchain block
    toNullable(toInt32(b.mc_seqno)) AS mc_block_seqno,
    toNullable(b.global_id) AS global_id,
    toNullable(toInt32(b.version)) AS version,
    toNullable(b.after_merge) AS after_merge,
    toNullable(b.before_split) AS before_split,
    toNullable(b.after_split) AS after_split,
    toNullable(b.want_merge) AS want_merge,
    toNullable(b.want_split) AS want_split,
    toNullable(b.key_block) AS key_block,
    toNullable(b.vert_seqno_incr) AS vert_seqno_incr,
    toNullable(toInt32(b.flags)) AS flags,
    toNullable(toInt64(b.gen_utime)) AS gen_utime,
    toNullable(toInt64(b.start_lt)) AS start_lt,
    toNullable(toInt64(b.end_lt)) AS end_lt,
    toNullable(toInt32(b.validator_list_hash_short)) AS validator_list_hash_short, -- Short hash of the validator list, as a signed number
    toNullable(toInt32(b.gen_catchain_seqno)) AS gen_catchain_seqno,
    toNullable(toInt32(b.min_ref_mc_seqno)) AS min_ref_mc_seqno,
    toNullable(toInt32(b.prev_key_block_seqno)) AS prev_key_block_seqno,
    toNullable(toInt32(b.vert_seqno)) AS vert_seqno,
    if(b.workchain = -1, NULL, toInt32(b.master_ref_seqno)) AS master_ref_seqno, -- Masterchain block that a shard block refers to; null in the masterchain
    base64Encode(b.rand_seed) AS rand_seed,
    base64Encode(b.created_by) AS created_by,
    toNullable(toInt32(b.tx_count)) AS tx_count,
    toDateTime(b.gen_utime, 'UTC') AS block_time,
    toDate(toDateTime(b.gen_utime, 'UTC')) AS block_date
FROM {base}.blocks AS b
WHERE {visible base b}
