import type { ShardingKeys } from '../src/platform/clickhouse/migrations/cluster-tables.ts';

/** The few rows about the store itself stand on the first shard: one row there is one row for everybody. */
const FIRST_SHARD = '0';
/** Everything of an account on one shard: its page is read there alone, and rows that replace each other meet. */
const ACCOUNT = 'cityHash64(account)';
/** All blocks of a masterchain step on one shard, the next step on the next one. */
const STEP = 'mc_seqno';

/**
 * Where a row of each table goes on a ClickHouse cluster (docs/decisions/0011-cluster.md), by folder of
 * clickhouse/migrations: an expression over its columns that gives a whole number. A table of `base` must be named
 * here: one that is not fails the migration.
 */
export const SHARDING_KEYS: ShardingKeys = {
  meta: { '*': FIRST_SHARD },
  base: {
    confirmed: FIRST_SHARD,
    blocks: STEP,
    blocks_by_id: STEP,
    blocks_by_time: STEP,
    blocks_by_lt: STEP,
    block_hashes: 'hash8',
    shards: STEP,
    config_params: STEP,
    transactions: ACCOUNT,
    account_transactions: ACCOUNT,
    transaction_hashes: 'hash8',
    messages: 'hash8',
    message_hashes: 'hash8',
    message_norm_hashes: 'norm8',
    // Most bodies are one, the empty one; a few opcodes are most messages.
    message_bodies: 'hash8',
    messages_by_source: 'cityHash64(source)',
    messages_by_destination: 'cityHash64(destination)',
    messages_by_opcode: 'hash8',
    account_states: ACCOUNT,
    accounts_latest: ACCOUNT,
    account_codes: ACCOUNT,
    balances_ranked: ACCOUNT,
    account_cells: ACCOUNT,
    raw_blocks: STEP,
    step_rows: STEP,
  },
};
