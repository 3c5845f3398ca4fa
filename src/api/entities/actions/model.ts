import type { RawRow } from '../../query/scope.ts';
import { type Sql, unsafeSql, versionedSql } from '../../query/sql.ts';

/** An action as the table `actions` (clickhouse/actions) has it; hashes base64, lts decimal text, addresses raw. */
export interface ActionRow {
  readonly traceId: string;
  /** The beginning of the trace's id as a number, decimal: ties of the order. */
  readonly trace8: string;
  readonly actionId: string;
  readonly startLt: string;
  readonly endLt: string;
  readonly startUtime: number;
  readonly endUtime: number;
  readonly traceEndLt: string;
  readonly traceEndUtime: number;
  readonly traceMcSeqnoEnd: number;
  readonly txHashes: readonly string[];
  readonly accounts: readonly string[];
  readonly success: boolean;
  /** The type for filters and answers. */
  readonly type: string;
  readonly answeredType: string;
  /** JSON; empty if the type has no layout. */
  readonly details: string;
  /** JSON of its columns; empty if it has details. */
  readonly rawAction: string;
  /** Hash of the external message that began the trace; null where none did. */
  readonly externalHash: string | null;
}

const NO_HASH = Buffer.alloc(32).toString('base64');

/** Expressions of ACTION_SELECT in their order; with a constant of its type, a column that a request can do without. */
const COLUMNS: readonly (readonly [sql: string, spared?: readonly [OmittedColumn, constant: string]])[] = [
  ['base64Encode(trace_id)'],
  ['base64Encode(action_id)'],
  ['toString(start_lt)'],
  ['toString(end_lt)'],
  ['start_utime'],
  ['end_utime'],
  ['toString(trace_end_lt)'],
  ['trace_end_utime'],
  ['mc_seqno'],
  ['arrayMap(h -> base64Encode(h), tx_hashes)', ['transactions', '[]']],
  [
    "arrayMap(a -> concat(toString(reinterpretAsInt32(reverse(substring(a, 1, 4)))), ':', hex(substring(a, 5))), accounts)",
    ['accounts', '[]'],
  ],
  ['success'],
  ['toString(type)'],
  ['toString(answered_type)'],
  ['details', ['layout', "''"]],
  ['raw_action', ['layout', "''"]],
  ['base64Encode(external_hash)', ['external', "''"]],
  ['toString(trace8)'],
];

/** Columns that cost: lists, JSON and a hash that most rows have none of. */
export type OmittedColumn = 'transactions' | 'accounts' | 'layout' | 'external';

/** SELECT list of `actions`. */
export const ACTION_SELECT = versionedSql(() => listColumns());

/** The expressions of ACTION_SELECT, without what is spared: such a column reads as empty. */
export function actionList(isWanted: (column: OmittedColumn) => boolean): Sql {
  return unsafeSql(listColumns(isWanted));
}

function listColumns(isWanted: (column: OmittedColumn) => boolean = () => true): string {
  return COLUMNS.map(([expression, spared]) =>
    !spared || isWanted(spared[0]) ? expression : spared[1],
  ).join(', ');
}

/** A hash in base64; null for none, which is zeros or empty. */
export function knownHash(hash: string): string | null {
  return hash === NO_HASH || hash === '' ? null : hash;
}

/** Reads a row of ACTION_SELECT. */
export function actionRow(values: RawRow): ActionRow {
  return {
    traceId: values[0] as string,
    trace8: values[17] as string,
    actionId: values[1] as string,
    startLt: values[2] as string,
    endLt: values[3] as string,
    startUtime: values[4] as number,
    endUtime: values[5] as number,
    traceEndLt: values[6] as string,
    traceEndUtime: values[7] as number,
    traceMcSeqnoEnd: values[8] as number,
    txHashes: values[9] as string[],
    accounts: values[10] as string[],
    success: values[11] as boolean,
    type: values[12] as string,
    answeredType: values[13] as string,
    details: values[14] as string,
    rawAction: values[15] as string,
    externalHash: knownHash(values[16] as string),
  };
}
