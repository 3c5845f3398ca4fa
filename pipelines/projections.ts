import type { SinkDefinition } from '../src/platform/clickhouse/sink/sink-definition.ts';
import { DECODE, DECODE_SINK } from './decode.ts';

/** A table whose rows of two versions are compared one by one. */
export interface ComparedTable {
  readonly table: string;
  /** Columns that name a row whatever its decoder says of it. */
  readonly key: readonly string[];
}

/** Tables that are built together, from the same input, by one version of the code. */
export interface Projection {
  readonly name: string;
  /** Version of the code: raised with every change of what it yields. */
  readonly version: number;
  /** Topic of the log that it is made from. */
  readonly reads: string;
  readonly sink: SinkDefinition;
  /** Landing tables that hold the input itself: no version of the code changes them, so that a replay links them. */
  readonly inputs: readonly string[];
  readonly compared: readonly ComparedTable[];
}

/** What `tonhouse replay` can rebuild, by name. */
export const PROJECTIONS: Readonly<Record<string, Projection>> = {
  [DECODE.projection]: {
    name: DECODE.projection,
    version: DECODE.version,
    reads: DECODE.topic,
    sink: DECODE_SINK,
    inputs: ['raw_blocks'],
    compared: [
      { table: 'blocks', key: ['workchain', 'shard', 'seqno'] },
      { table: 'shards', key: ['mc_seqno', 'workchain', 'shard'] },
      { table: 'config_params', key: ['mc_seqno', 'param'] },
      { table: 'transactions', key: ['workchain', 'account', 'lt'] },
      { table: 'messages', key: ['hash', 'side', 'tx_account', 'tx_lt'] },
      { table: 'account_states', key: ['workchain', 'account', 'lt', 'origin'] },
      { table: 'account_cells', key: ['workchain', 'account', 'lt', 'hash'] },
    ],
  },
};
