import type { SinkDefinition } from '../../engine/sink/sink-definition.ts';
import { STEP_ROWS } from '../../engine/sink/step-rows.ts';

/** Everything of an account is on one shard: one shard reads its page, and rows that replace each other meet. */
const ACCOUNT = 'cityHash64(account)';
/** All blocks of a masterchain step on one shard, the next step on the next one. */
const STEP = 'mc_seqno';
/** Most bodies are one, the empty one; a few opcodes are most messages: the message's hash spreads their rows. */
const HASH = 'hash8';

/** The indexes list one of the two sides of a message. */
const LISTED = { column: 'listed', equals: 1 } as const;

/** The typed columns, or aliases, of the table or of `transactions` have the same content. */
const PACKED = ['payload', 'details'];

/**
 * The sink of `base`. Each table of clickhouse/base is listed once. `shard` is the shard of a row on a cluster
 * (docs/decisions/0011-cluster.md), `key` names a row when two versions are compared.
 */
export const BASE_SINK: SinkDefinition = {
  landings: [
    {
      landing: 'blocks',
      counted: [
        { table: 'blocks', shard: STEP, key: ['workchain', 'shard', 'seqno'] },
        { table: 'blocks_by_id', shard: STEP },
        { table: 'blocks_by_time', shard: STEP },
        { table: 'blocks_by_lt', shard: STEP },
        { table: 'block_hashes', shard: HASH, rowsPerRow: 2 },
      ],
    },
    {
      landing: 'shards',
      counted: [{ table: 'shards', shard: STEP, key: ['mc_seqno', 'workchain', 'shard'] }],
    },
    {
      landing: 'config_params',
      counted: [{ table: 'config_params', shard: STEP, key: ['mc_seqno', 'param'] }],
    },
    {
      landing: 'transactions',
      counted: [
        { table: 'transactions', shard: ACCOUNT, key: ['workchain', 'account', 'lt'] },
        { table: 'transaction_payloads', shard: HASH, key: ['workchain', 'account', 'lt'], packed: PACKED },
        { table: 'account_transactions', shard: ACCOUNT, packed: PACKED },
        { table: 'transaction_hashes', shard: HASH },
      ],
    },
    {
      landing: 'messages',
      counted: [
        { table: 'messages', shard: HASH, key: ['hash', 'side', 'tx_account', 'tx_lt'], packed: PACKED },
        { table: 'message_hashes', shard: HASH, where: LISTED },
        { table: 'message_norm_hashes', shard: 'norm8', where: { column: 'kind', equals: 1 } },
        { table: 'message_bodies', shard: HASH, where: LISTED },
        { table: 'messages_by_source', shard: 'cityHash64(source)', where: LISTED },
        { table: 'messages_by_destination', shard: 'cityHash64(destination)', where: LISTED },
        { table: 'messages_by_opcode', shard: HASH, where: [LISTED, { column: 'opcode', notNull: true }] },
      ],
    },
    {
      landing: 'account_states',
      counted: [{ table: 'account_states', shard: ACCOUNT, key: ['workchain', 'account', 'lt', 'origin'] }],
    },
    {
      landing: 'account_cells',
      counted: [{ table: 'account_cells', shard: ACCOUNT, key: ['workchain', 'account', 'lt', 'hash'] }],
    },
    { landing: 'raw_blocks', countedLike: 'blocks', counted: [{ table: 'raw_blocks', shard: STEP }] },
    { landing: STEP_ROWS, counted: [{ table: STEP_ROWS, shard: STEP }] },
  ],
  derived: [
    { table: 'accounts_latest', shard: ACCOUNT, repair: 'clickhouse/base/repairs/accounts_latest.sql' },
    { table: 'account_codes', shard: ACCOUNT, repair: 'clickhouse/base/repairs/account_codes.sql' },
    {
      table: 'balances_ranked',
      shard: ACCOUNT,
      corrections: 'clickhouse/base/repairs/balances_ranked.sql',
    },
  ],
};
