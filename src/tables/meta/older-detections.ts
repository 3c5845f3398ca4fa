import { HASH } from '../base-types.ts';
import {
  DETECTED_CONTRACT_KEYS,
  DETECTED_CONTRACTS,
  FOUND_KEY,
  newest,
  stored,
  TOKEN_OUTCOMES,
} from '../detections.ts';
import { AT } from '../engine-tables.ts';
import { coded, column, defineTable } from '../table.ts';
import { buildStored, type Target, type TargetColumn } from '../target.ts';

/*
 * Detections of release 0.2.0, whose servers may still read them. This release has them in the projection `detections`
 * (docs/decisions/0112-detections-are-input.md).
 */

const METHOD_RESULTS = defineTable({
  name: 'method_results',
  version: 1,
  comment: 'Results of get methods in release 0.2.0.',
  key: ['code_hash', 'data_hash', 'method', 'arguments'],
  columns: {
    code_hash: coded(HASH, 'LZ4', 'Hash of the code.'),
    data_hash: coded(HASH, 'LZ4', 'Hash of the data.'),
    method: column('UInt32', 'Id of the method.'),
    arguments: coded(HASH, 'LZ4', 'SHA-256 of the stack.'),
    exit_code: column('Int32', 'Exit code.'),
    gas_used: column('UInt64', 'Used gas.'),
    failure: coded('String', 'ZSTD(1)', 'Why there is no result; empty if there is one.'),
    stack: coded('String', 'ZSTD(3)', 'Results.'),
    at: AT,
  },
});

const SINCE: TargetColumn = {
  name: 'since',
  type: 'SimpleAggregateFunction(min, UInt32)',
  comment: 'Masterchain step of the first such state.',
  codec: null,
};

const DETECTED_KEYS: Omit<Target, 'source'> = {
  name: 'detected_keys',
  comment: 'Accounts by which detected tokens are or were found.',
  columns: [
    SINCE,
    {
      name: 'role',
      type: "Enum8('account' = 0, 'owner' = 1, 'parent' = 2)",
      comment: 'What the key is to the token.',
      codec: 'ZSTD(1)',
    },
    ...FOUND_KEY,
    ...stored(TOKEN_OUTCOMES, ['kind', 'workchain', 'account']),
  ],
  engine: 'AggregatingMergeTree',
  orderBy: ['key', 'key_workchain', 'role', 'kind', 'account', 'workchain'],
  settings: { index_granularity: 1024 },
  shard: 'cityHash64(key)',
};

const CONFIRMED_TOKENS: Target = {
  name: 'confirmed_tokens',
  comment: 'Wallets and items that were detected once.',
  source: 'detections',
  columns: [
    SINCE,
    ...stored(TOKEN_OUTCOMES, ['kind', 'workchain', 'account']),
    { name: 'item_index', type: 'UInt256', comment: 'Index of an item; 0 for a wallet.', codec: 'ZSTD(1)' },
    ...stored(TOKEN_OUTCOMES, ['has_parent', 'parent_workchain', 'parent']),
  ],
  select: (from) =>
    `SELECT mc_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent, parent_workchain, parent\nFROM ${from}\nWHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item')`,
  engine: 'AggregatingMergeTree',
  orderBy: ['account', 'workchain', 'kind', 'has_parent', 'parent', 'parent_workchain', 'item_index'],
  settings: { index_granularity: 256 },
  shard: 'cityHash64(account)',
};

/** The table as the network's database has it: a reason is one of few texts, and rows are inserted. */
function older({ source: _, select: __, ...target }: Omit<Target, 'source'> & Partial<Target>): Target {
  const columns = target.columns.map((one) =>
    one.name === 'reason' ? { ...one, type: 'LowCardinality(String)', codec: null } : one,
  );
  return { ...target, columns };
}

/** Kinds were texts without a codec. */
function kindWithoutCodec(target: Target): Target {
  return {
    ...target,
    columns: target.columns.map((one) => (one.name === 'kind' ? { ...one, codec: null } : one)),
  };
}

export const OLDER_DETECTION_TARGETS: readonly Target[] = [
  buildStored(METHOD_RESULTS, {
    engine: 'ReplacingMergeTree(at)',
    orderBy: METHOD_RESULTS.key,
    settings: { index_granularity: 256 },
  }),
  older(newest(TOKEN_OUTCOMES, { name: 'detections' })),
  older(DETECTED_KEYS),
  kindWithoutCodec(older(DETECTED_CONTRACTS)),
  older(DETECTED_CONTRACT_KEYS),
  CONFIRMED_TOKENS,
];
