import { HASH } from '../base-types.ts';
import { STEP } from '../contract-types.ts';
import { column, rising, type Table } from '../table.ts';
import { ONE_PART, pickAll, type Target, type TargetColumn } from '../target.ts';

/* Columns and layout that the tables of the lake share. Addresses are raw upper-case text; an empty text is none. */

/** Where a row is: the step, and the transaction. */
export const PLACE = {
  mc_seqno: rising('UInt32', STEP),
  lt: rising('UInt64', 'Logical time of the transaction.'),
  time: rising('UInt32', 'Time of the transaction, Unix seconds.'),
  tx_hash: column(HASH, 'Hash of the transaction.'),
  trace_id: column(HASH, 'Trace of the transaction.'),
} as const;

/** How columns are stored that answers of SQL show: an index serves a filter only on the column itself. */
export interface Shown {
  readonly nullable?: readonly string[];
  readonly few?: readonly string[];
  /** Columns that follow those of the order. Default: the hashes. */
  readonly leading?: readonly string[];
  readonly indexed: readonly string[];
}

const ZSTD = 'ZSTD(1)';
const HASHES: readonly string[] = ['tx_hash', 'trace_id'];

/** The table of landed rows, by time, lt and `item`. Hashes are base64, and columns of views are null as the views show them. */
export function buildLakeTarget(table: Table, item: string, shown: Shown): Target {
  const { nullable = [], few = [], leading = [], indexed } = shown;
  const order = ['time', 'lt', item];
  const first = [...order, ...leading];
  const others = Object.keys(table.columns).filter((name) => name !== 'mc_seqno' && !first.includes(name));
  const toStored = (one: TargetColumn): TargetColumn => {
    if (HASHES.includes(one.name)) return { ...one, type: 'String', codec: ZSTD };
    if (nullable.includes(one.name)) return { ...one, type: `Nullable(${one.type})` };
    return few.includes(one.name) ? { ...one, type: `LowCardinality(${one.type})` } : one;
  };
  const hashes = HASHES.map((name) => `base64Encode(l.${name}) AS ${name}`);
  const nulls = nullable.map((name) => `nullIf(l.${name}, '') AS ${name}`);
  const blooms = indexed.map((name) => [`by_${name}`, [name, 1, 'bloom_filter']] as const);
  return {
    name: table.name,
    comment: table.comment,
    source: `land_${table.name}`,
    columns: [...pickAll(table, [...first, ...others, 'mc_seqno']).map(toStored), ONE_PART],
    select: (from) =>
      `SELECT * EXCEPT (${[...HASHES, ...nullable].join(', ')}), ${hashes.join(', ')},\n    ${nulls.join(', ')}\nFROM ${from} AS l`,
    skips: { by_mc_seqno: ['mc_seqno', 1], ...Object.fromEntries(blooms) },
    orderBy: order,
    settings: { index_granularity: 1024 },
    shard: `cityHash64(${item})`,
    key: table.key,
    aging: { column: 'time' },
  };
}
