import type { RawRow } from '../../query/scope.ts';
import { type SelectedRow, selectList } from '../../query/select-list.ts';
import { unsafeSql } from '../../query/sql.ts';

/** Columns of the table `traces` (clickhouse/traces) that answers show. */
const COLUMNS = {
  start_lt: 'UInt64',
  trace8: 'UInt64',
  trace_id: 'FixedString(32)',
  external_hash: 'FixedString(32)',
  state: "Enum8('pending' = 0, 'complete' = 1, 'broken' = 2)",
  mc_seqno_start: 'UInt32',
  start_utime: 'UInt32',
  mc_seqno_end: 'UInt32',
  end_lt: 'UInt64',
  end_utime: 'UInt32',
  messages: 'UInt32',
  transactions: 'UInt32',
  pending_messages: 'UInt32',
} as const;

const LIST = selectList(COLUMNS);

/** A trace as of the visible range; hashes base64, 64-bit integers decimal text. */
export type TraceRow = SelectedRow<typeof COLUMNS>;

/** SELECT list of traces. */
export const TRACE_SELECT = unsafeSql(LIST.sql);

/** Columns of TRACE_SELECT in its order. */
export const TRACE_COLUMNS = Object.keys(COLUMNS);

/** Reads a row of TRACE_SELECT. */
export const traceRow: (values: RawRow) => TraceRow = LIST.row;

/** Hash of the external message that began the trace, base64; null where none did. */
export function externalHash({ external_hash: hash }: Pick<TraceRow, 'external_hash'>): string | null {
  return hash === NO_HASH ? null : hash;
}

const NO_HASH = Buffer.alloc(32).toString('base64');

/** The trace of a transaction, as answers show it. Hashes base64. */
export interface TraceId {
  readonly trace_id: string;
  /** The external message that began the trace; absent where none did. */
  readonly trace_external_hash?: string;
}

/** `external`: hash of the message that began the trace; zeros for none. */
export function buildTraceId(id: string, external: string): TraceId {
  const began = externalHash({ external_hash: external });
  return { trace_id: id, ...(began === null ? {} : { trace_external_hash: began }) };
}
