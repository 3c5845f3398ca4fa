import type { AccountId } from '../../query/account-id.ts';
import type { ScanPlace } from '../../query/cursor.ts';
import { ID, keyset, U64 } from '../../query/keyset.ts';
import type { TraceRow } from './model.ts';

/** Filters of a list of traces (v3-endpoints.md 4.1); all hold together. Hashes are 64 hex digits, bounds inclusive. */
export interface TraceFilter {
  readonly account?: AccountId;
  /** An empty list is no filter; at most one of the three lists is given. */
  readonly traceIds?: readonly string[];
  readonly txHashes?: readonly string[];
  readonly msgHashes?: readonly string[];
  /** Complete traces whose last transaction this masterchain block committed. */
  readonly mcSeqno?: number;
  /** Bounds of the end. */
  readonly startUtime?: number;
  readonly endUtime?: number;
  readonly startLt?: bigint;
  readonly endLt?: bigint;
  /** Place of a scan: the list from here on, always by lt. */
  readonly scan?: ScanPlace<TracePlace>;
}

/** The place of a trace in a list by lt; `endLt` decimal, the id 64 upper-case hex digits. */
export interface TracePlace {
  readonly endLt: string;
  readonly traceId: string;
}

/** With a time bound the list is ordered by time; scans are by lt. */
export function isOrderedByTime({ startUtime, endUtime, scan }: TraceFilter): boolean {
  if (scan) return false;
  return startUtime !== undefined || endUtime !== undefined;
}

/** Whether the filter names traces, rather than leaving a stretch of a long list. */
export function namesTraces({ traceIds, txHashes, msgHashes, mcSeqno }: TraceFilter): boolean {
  return [traceIds, txHashes, msgHashes].some((list) => list && list.length > 0) || mcSeqno !== undefined;
}

/** Places of `/traces` and `/events`, which are as of one moment: a trace grows. */
export const TRACES = keyset<TracePlace>({ list: 'tr', isResumable: false }, { endLt: U64, traceId: ID });

/** Places of `/traces` of an account: the lt of its last transaction in the trace. */
export const ACCOUNT_TRACES = keyset<{ readonly lt: string }>(
  { list: 'ta', isResumable: false },
  { lt: U64 },
);

export function tracePlace({ end_lt, trace_id }: TraceRow): TracePlace {
  return { endLt: end_lt, traceId: Buffer.from(trace_id, 'base64').toString('hex').toUpperCase() };
}
