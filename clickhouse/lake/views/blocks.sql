-- Blocks of the masterchain and of all shards. The partition date is gen_utime.
-- reads: base
SELECT
    toNullable(b.workchain) AS workchain, -- Workchain of the block: -1 is the masterchain, 0 the basechain
    toNullable(toInt64(b.shard)) AS shard, -- Shard prefix with its marker bit, as a signed number
    toNullable(toInt32(b.seqno)) AS seqno, -- Number of the block in its shard
    base64Encode(b.root_hash) AS root_hash, -- Hash of the block's root cell
    base64Encode(b.file_hash) AS file_hash, -- SHA-256 of the block's bytes
    toNullable(toInt32(-1)) AS mc_block_workchain, -- Workchain of the masterchain block that committed this block: always -1
    toNullable(toInt64(-9223372036854775808)) AS mc_block_shard, -- Shard of that masterchain block
    toNullable(toInt32(b.mc_seqno)) AS mc_block_seqno, -- Number of that masterchain block
    toNullable(b.global_id) AS global_id, -- Number of the network: -239 is mainnet, -3 testnet
    toNullable(toInt32(b.version)) AS version, -- Version of the block's format
    toNullable(b.after_merge) AS after_merge, -- True if two shards were merged before this block
    toNullable(b.before_split) AS before_split, -- True if the shard is split after this block
    toNullable(b.after_split) AS after_split, -- True if the shard was split before this block
    toNullable(b.want_merge) AS want_merge, -- True if the shard asks to be merged
    toNullable(b.want_split) AS want_split, -- True if the shard asks to be split
    toNullable(b.key_block) AS key_block, -- True for a key block, which has the configuration
    toNullable(b.vert_seqno_incr) AS vert_seqno_incr, -- True if the block begins a hard fork
    toNullable(toInt32(b.flags)) AS flags, -- Flags of the block's header
    toNullable(toInt64(b.gen_utime)) AS gen_utime, -- Time of the block, Unix seconds
    toNullable(toInt64(b.start_lt)) AS start_lt, -- Lowest logical time of the block
    toNullable(toInt64(b.end_lt)) AS end_lt, -- Highest logical time of the block
    toNullable(toInt32(b.validator_list_hash_short)) AS validator_list_hash_short, -- Short hash of the validator list, as a signed number
    toNullable(toInt32(b.gen_catchain_seqno)) AS gen_catchain_seqno, -- Number of the validators' session
    toNullable(toInt32(b.min_ref_mc_seqno)) AS min_ref_mc_seqno, -- Oldest masterchain block that the block refers to
    toNullable(toInt32(b.prev_key_block_seqno)) AS prev_key_block_seqno, -- Number of the previous key block
    toNullable(toInt32(b.vert_seqno)) AS vert_seqno, -- Number of hard forks before the block
    if(b.workchain = -1, NULL, toInt32(b.master_ref_seqno)) AS master_ref_seqno, -- Masterchain block that a shard block refers to; null in the masterchain
    base64Encode(b.rand_seed) AS rand_seed, -- Random seed of the block
    base64Encode(b.created_by) AS created_by, -- Public key of the validator that made the block
    toNullable(toInt32(b.tx_count)) AS tx_count, -- Transactions of the block
    toDateTime(b.gen_utime, 'UTC') AS block_time, -- Time of the block, UTC
    toDate(toDateTime(b.gen_utime, 'UTC')) AS block_date -- Date of the block, UTC
FROM {base}.blocks AS b
WHERE {visible base b}
