import type { ReadScope } from '../../query/scope.ts';
import { identifier, sql, text, u32, u64 } from '../../query/sql.ts';
import type { CorrectionPlace } from './correction-place.ts';

/** A trace whose stored actions were replaced. */
export interface CorrectedTrace {
  readonly place: CorrectionPlace;
  /** Beginning of the trace's id as a number, decimal. */
  readonly trace8: string;
}

/** State of a row of `corrections`: the actions were replaced. */
const CORRECTED = 2;
/** A correction is read so long after its moment, seconds: those that began earlier are visible by then. */
export const SETTLE_SECONDS = 3;

/** The next corrections after a place, in their order, of traces that ended in the step `since` or later. */
export async function readCorrected(
  { databases, query }: ReadScope<'actions'>,
  after: CorrectionPlace,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly CorrectedTrace[]> {
  const rows = await query(
    sql`SELECT toUnixTimestamp64Milli(at) AS ms, mc_seqno, hex(trace_id) AS id, toString(reinterpretAsUInt64(reverse(substring(trace_id, 1, 8)))) AS trace8
      FROM ${identifier(databases.actions, 'corrections')}
      WHERE state = ${u32(CORRECTED)} AND mc_seqno >= ${u32(since)} AND at >= fromUnixTimestamp64Milli(toInt64(${u64(after.at)}))
        AND at <= now64(3) - toIntervalSecond(${u32(SETTLE_SECONDS)})
        AND (ms, mc_seqno, id) > (toInt64(${u64(after.at)}), ${u32(after.seqno)}, ${text(after.traceId)})
      GROUP BY ms, mc_seqno, id, trace8 ORDER BY ms, mc_seqno, id LIMIT ${u32(limit)}`,
  );
  return rows.map(([at, seqno, traceId, trace8]) => ({
    place: { at: String(at), seqno: Number(seqno), traceId: traceId as string },
    trace8: trace8 as string,
  }));
}

/** The store's clock, Unix ms. */
export async function readNow({ query }: ReadScope<'actions'>): Promise<number> {
  const [[now] = [0]] = await query(sql`SELECT toUnixTimestamp64Milli(now64(3))`);
  return Number(now);
}

/** True if the served version of actions records when traces were corrected. Versions of older releases do not. */
export async function hasMoments({ databases, query }: ReadScope<'actions'>): Promise<boolean> {
  const rows = await query(
    sql`SELECT 1 FROM information_schema.columns WHERE table_schema = ${text(databases.actions)} AND table_name = 'corrections' AND column_name = 'at' LIMIT 1`,
  );
  return rows.length > 0;
}
