import { HASH } from '../base-types.ts';
import {
  CONFIRMED_TOKENS,
  DETECTED_CONTRACT_KEYS,
  DETECTED_CONTRACTS,
  DETECTED_KEYS,
  DETECTIONS,
} from '../detections.ts';
import { AT } from '../engine-tables.ts';
import { coded, column, defineTable } from '../table.ts';
import { buildStored, type Target } from '../target.ts';

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

/** The table as the network's database has it: a reason is one of few texts, and rows are inserted. */
function older({ source: _, select: __, ...target }: Target): Target {
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
  older(DETECTIONS),
  older(DETECTED_KEYS),
  kindWithoutCodec(older(DETECTED_CONTRACTS)),
  older(DETECTED_CONTRACT_KEYS),
  {
    ...older(CONFIRMED_TOKENS),
    source: 'detections',
    select: (from) =>
      `SELECT mc_seqno AS since, kind, workchain, account, if(kind = 'nft_item', amount, 0) AS item_index, has_parent, parent_workchain, parent\nFROM ${from}\nWHERE reason = '' AND kind IN ('jetton_wallet', 'nft_item')`,
  },
];
