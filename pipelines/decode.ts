import type { SinkDefinition } from '../src/platform/clickhouse/sink/sink-definition.ts';

/**
 * Stage `decode`: consumes `raw-blocks`, decodes each block, and lands its columns in the projection `base`.
 *
 *   raw-blocks ─▶ decode ─▶ land_<table> (Null) ─▶ views ─▶ targets
 */
export const DECODE = {
  topic: 'raw-blocks',
  group: 'decode',
  projection: 'base',
  version: 1,
} as const;

/**
 * Where the rows of each landing table end up (clickhouse/migrations/base). Counted targets have one row for each
 * landed row that matches `where`; after an unclean stop their counts are measured against the journal. Derived
 * targets merge rows, so they cannot be counted: their repair makes them whole from counted ones, and may run twice.
 */
export const DECODE_SINK: SinkDefinition = {
  landings: [
    {
      landing: 'blocks',
      counted: [
        { table: 'blocks' },
        { table: 'blocks_by_id' },
        { table: 'blocks_by_time' },
        { table: 'blocks_by_lt' },
        { table: 'block_hashes', rowsPerRow: 2 },
      ],
    },
    { landing: 'shards', counted: [{ table: 'shards' }] },
    { landing: 'config_params', counted: [{ table: 'config_params' }] },
    {
      landing: 'transactions',
      counted: [
        { table: 'transactions' },
        { table: 'account_transactions' },
        { table: 'transaction_hashes' },
      ],
    },
    {
      landing: 'messages',
      counted: [
        { table: 'messages' },
        { table: 'message_hashes' },
        { table: 'message_norm_hashes', where: { column: 'kind', equals: 1 } },
        { table: 'message_bodies' },
        { table: 'messages_by_source' },
        { table: 'messages_by_destination' },
        { table: 'messages_by_opcode', where: { column: 'opcode', notNull: true } },
      ],
    },
    { landing: 'account_states', counted: [{ table: 'account_states' }] },
    { landing: 'account_cells', counted: [{ table: 'account_cells' }] },
    { landing: 'raw_blocks', countedLike: 'blocks', counted: [{ table: 'raw_blocks' }] },
    // How many rows each of the targets above has for a step (src/platform/clickhouse/sink/step-rows.ts).
    { landing: 'step_rows', counted: [{ table: 'step_rows' }] },
  ],
  derived: [
    { table: 'accounts_latest', repair: 'clickhouse/repairs/accounts_latest.sql' },
    { table: 'account_codes', repair: 'clickhouse/repairs/account_codes.sql' },
    { table: 'balances_ranked', corrections: 'clickhouse/repairs/balances_ranked.sql' },
  ],
};

/** The targets whose rows a step counts in `step_rows`. */
export const STEP_COUNTED: SinkDefinition = {
  landings: DECODE_SINK.landings.filter(({ landing }) => landing !== 'step_rows'),
  derived: [],
};
