import type { StoreDatabase } from '../../../engine/projection/stored-input.ts';
import type { DetectedDatabase } from '../../../facts/fact-stores.ts';
import { RANGE_QUERY } from '../../../platform/clickhouse/query-profile.ts';
import { BEGUN, type CorrectionKey } from '../../records/correction-records.ts';
import { examinedSql, OUTCOMES } from './examined.ts';

/** An account that was not detected when its trace was classified, and is examined now. */
export interface DueToken extends CorrectionKey {
  /** A correction was begun and cut off: rows of the trace may be missing. */
  readonly isBegun: boolean;
}

/** Steps up to which everything due was found: of detections, and of actions. */
export interface FoundUpTo {
  readonly detections: number;
  readonly actions: number;
}

/** Tokens that one call finds. */
const MAX_DUE = 500;

/**
 * Finds due tokens in steps up to `confirmed`, by step: those whose state in the step, or a later one, is examined. An
 * outcome after `found.detections` may be of any token, and a step after `found.actions` may have tokens with any outcome.
 */
export async function readDue(
  { client, database }: StoreDatabase,
  examined: DetectedDatabase,
  confirmed: number,
  found: FoundUpTo,
): Promise<readonly DueToken[]> {
  const tokens = `SELECT mc_seqno, trace_id, workchain, account, lt FROM ${database}.undetected_tokens WHERE mc_seqno <= ${confirmed}`;
  const isNew = `mc_seqno > ${found.actions}`;
  const isAmong = (queue: string) => `(account, workchain) IN (SELECT account, workchain FROM (${queue}))`;
  const newOutcomes = OUTCOMES.map(
    (table) =>
      `SELECT account, workchain FROM ${examined.database}.${table} WHERE mc_seqno <= ${examined.last} AND mc_seqno > ${found.detections}`,
  ).join(' UNION ALL ');
  const due = (queue: string, of: string) =>
    `SELECT mc_seqno, trace_id, workchain, account FROM (${queue}) AS queue
     INNER JOIN (${examinedSql(examined, of)}) AS examined USING (account, workchain) WHERE newest >= lt`;
  const queued = `${tokens} AND ${isAmong(newOutcomes)}`;
  const done = `SELECT mc_seqno, trace_id, workchain, account FROM ${database}.corrections`;
  const key = '(mc_seqno, trace_id, workchain, account)';
  const { rows } = await client.queryRows<[number, string, number, string, boolean | number]>(
    `SELECT DISTINCT mc_seqno, hex(trace_id), workchain, hex(account), ${key} IN (${done} WHERE state = ${BEGUN}) FROM (
       ${due(queued, `${isAmong(newOutcomes)} AND ${isAmong(queued)}`)}
       UNION ALL ${due(`${tokens} AND ${isNew}`, isAmong(`${tokens} AND ${isNew}`))}
     ) WHERE ${key} NOT IN (${done} WHERE state != ${BEGUN})
     ORDER BY 1, 2, 3, 4 LIMIT ${MAX_DUE}`,
    { route: 'actions/corrections', ...RANGE_QUERY },
  );
  return rows.map(([position, traceId, workchain, account, isBegun]) => ({
    ...{ position, traceId, workchain, account },
    isBegun: Boolean(isBegun),
  }));
}
