import type {
  Correction,
  CorrectionSource,
  CorrectionStart,
  RowReplacement,
} from '../../engine/projection/correction.ts';
import { RANGE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { BEGUN, CORRECTED, type CorrectionKey, replaceRecorded } from '../records/correction-records.ts';
import { LakeRowSet } from './lake-row-set.ts';
import { type LakeRows, type LakeSourceNames, makeRows } from './make-rows.ts';

/** Corrections that one call finds. */
const MAX_DUE = 500;
/** Without new steps, corrections of actions are looked up again after this time, ms. */
const LOOK_UP_MS = 15_000;
const TABLES = ['trades', 'nft_events'] as const;

/** A corrected trace of `actions`, and whether its rows here were begun to be replaced. */
interface Due extends CorrectionKey {
  readonly isBegun: boolean;
}

/** Makes the rows of a step again after the actions of one of its traces were corrected. */
export class LakeCorrections implements CorrectionSource {
  readonly #start: CorrectionStart;
  readonly #names: LakeSourceNames;
  /** Nothing is due up to this step, before this moment (`performance.now()`). */
  #idle = { confirmed: -1, until: 0 };

  constructor(start: CorrectionStart, names: LakeSourceNames) {
    this.#start = start;
    this.#names = names;
  }

  async due(confirmed: number): Promise<readonly Correction[]> {
    if (confirmed <= this.#idle.confirmed && performance.now() < this.#idle.until) return [];
    const due = await this.#readDue(confirmed);
    if (due.length === 0) this.#idle = { confirmed, until: performance.now() + LOOK_UP_MS };
    return [...Map.groupBy(due, ({ position }) => position)].map(([position, own]) => ({
      position,
      run: (replace) => this.#run(position, own, replace),
    }));
  }

  async #readDue(confirmed: number): Promise<readonly Due[]> {
    const { client, database, needed } = this.#start;
    const actions = await needed.databaseWith(this.#names.actions, confirmed);
    const key = '(mc_seqno, trace_id, workchain, account)';
    const own = (where: string) =>
      `SELECT mc_seqno, trace_id, workchain, account FROM ${database}.corrections WHERE ${where}`;
    const { rows } = await client.queryRows<[number, string, number, string, boolean | number]>(
      `SELECT DISTINCT mc_seqno, hex(trace_id), workchain, hex(account), ${key} IN (${own(`state = ${BEGUN}`)})
       FROM ${actions}.corrections
       WHERE state = ${CORRECTED} AND mc_seqno <= ${confirmed} AND ${key} NOT IN (${own(`state != ${BEGUN}`)})
       ORDER BY 1, 2, 3, 4 LIMIT ${MAX_DUE}`,
      { route: 'lake/corrections', ...RANGE_QUERY },
    );
    return rows.map(([position, traceId, workchain, account, isBegun]) => ({
      ...{ position, traceId, workchain, account },
      isBegun: Boolean(isBegun),
    }));
  }

  async #run(
    position: number,
    due: readonly Due[],
    replace: (rows: RowReplacement) => Promise<void>,
  ): Promise<void> {
    const rows = await makeRows(this.#start, this.#names, [position]);
    // Most corrected traces have no rows here, before and after.
    const isNeeded =
      due.some(({ isBegun }) => isBegun) ||
      Object.values(rows).some(({ length }) => length > 0) ||
      (await this.#hasRows(position));
    await replaceRecorded(this.#start, due, isNeeded ? replaceStep(rows) : null, replace);
  }

  async #hasRows(position: number): Promise<boolean> {
    const { client, database } = this.#start;
    const of = (table: string) => `SELECT 1 FROM ${database}.${table} WHERE mc_seqno = ${position} LIMIT 1`;
    const { rows } = await client.queryRows(TABLES.map(of).join(' UNION ALL '), {
      route: 'lake/corrections',
      ...RANGE_QUERY,
    });
    return rows.length > 0;
  }
}

/** All rows of a step in place of the stored ones. */
function replaceStep(rows: LakeRows): RowReplacement {
  const set = new LakeRowSet(() => []);
  set.push(rows);
  return { deletes: TABLES.map((table) => ({ table, where: '1' })), tables: set.tables };
}
