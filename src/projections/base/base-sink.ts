import type { SinkDefinition } from '../../engine/sink/sink-definition.ts';
import { STEP_ROWS } from '../../engine/sink/step-rows.ts';
import { ACCOUNT_CELLS } from '../../tables/account-cells.ts';
import { ACCOUNT_STATES } from '../../tables/account-states.ts';
import { BLOCKS } from '../../tables/blocks.ts';
import { CONFIG_PARAMS } from '../../tables/config-params.ts';
import { MESSAGE_TARGETS } from '../../tables/messages.ts';
import { SHARDS } from '../../tables/shards.ts';
import { counted } from '../../tables/target.ts';
import { TRANSACTION_TARGETS } from '../../tables/transaction-targets.ts';

/** Everything of an account is on one shard: one shard reads its page, and rows that replace each other meet. */
const ACCOUNT = 'cityHash64(account)';
/** All blocks of a masterchain step on one shard, the next step on the next one. */
const STEP = 'mc_seqno';

/**
 * The sink of `base`. Each table of clickhouse/base is listed once, those of transactions and messages in src/tables. `shard` is the shard of a row on a cluster
 * (docs/decisions/0011-cluster.md), `key` names a row when two versions are compared.
 */
export const BASE_SINK: SinkDefinition = {
  landings: [
    {
      landing: 'blocks',
      counted: [
        { table: 'blocks', shard: STEP, key: BLOCKS.key },
        { table: 'blocks_by_id', shard: STEP },
        { table: 'blocks_by_time', shard: STEP },
        { table: 'blocks_by_lt', shard: STEP },
        { table: 'block_hashes', shard: 'hash8', rowsPerRow: 2 },
      ],
    },
    {
      landing: 'shards',
      counted: [{ table: 'shards', shard: STEP, key: SHARDS.key }],
    },
    {
      landing: 'config_params',
      counted: [{ table: 'config_params', shard: STEP, key: CONFIG_PARAMS.key }],
    },
    {
      landing: 'transactions',
      counted: TRANSACTION_TARGETS.map(counted),
    },
    { landing: 'messages', counted: MESSAGE_TARGETS.map(counted) },
    {
      landing: 'account_states',
      counted: [{ table: 'account_states', shard: ACCOUNT, key: ACCOUNT_STATES.key }],
    },
    {
      landing: 'account_cells',
      counted: [{ table: 'account_cells', shard: ACCOUNT, key: ACCOUNT_CELLS.key }],
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
