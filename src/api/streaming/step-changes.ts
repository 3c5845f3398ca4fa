import { TRACE_SELECT, type TraceRow, traceRow } from '../entities/traces/model.ts';
import { rawAddress } from '../query/account-id.ts';
import { type ReadScope, within } from '../query/scope.ts';
import { identifier, type Sql, sql, u32 } from '../query/sql.ts';
import { MAX_TRANSACTIONS } from '../v3/answers/traces-answer.ts';

/** Masterchain steps, both bounds inclusive. */
export interface Steps {
  readonly first: number;
  readonly last: number;
}

/** A trace after a step that changed it. */
export interface ChangedTrace {
  readonly seqno: number;
  /** Number of its first event in the step; it may have as many as there are types of them. */
  readonly ordinal: number;
  readonly row: TraceRow;
  /** Normalised hash of the external message that began it, base64. */
  readonly hashNorm: string;
  /** Raw addresses of all that it had reached by then. */
  readonly accounts: ReadonlySet<string>;
}

/** An account with a transaction in a step. */
export interface ChangedAccount {
  readonly seqno: number;
  /** Number of its first event in the step. */
  readonly ordinal: number;
  /** Raw address. */
  readonly account: string;
  /** Lt of its last transaction there. */
  readonly lt: string;
}

/** Events that a trace may have in a step: transactions, actions, trace. */
const EVENTS_OF_TRACE = 3;
/** Events that an account may have in a step: its state, its jettons. */
const EVENTS_OF_ACCOUNT = 2;
/** Events of accounts come after events of traces: far fewer traces fit into a step. */
const FIRST_OF_ACCOUNTS = 100_000_000;

/**
 * Traces that steps changed, by step, then start: those that an external message began (streaming.md 8) and that are not too
 * large to be shown. Two statements side by side.
 */
export async function readChangedTraces(
  scope: ReadScope<'traces'>,
  steps: Steps,
): Promise<readonly ChangedTrace[]> {
  const { traces: database } = scope.databases;
  const [rows, places] = await Promise.all([
    scope.query(planTraces(database, steps)),
    scope.query(planPlaces(database, steps)),
  ]);
  const reached = Map.groupBy(places, ([startLt, trace8]) => `${startLt} ${trace8}`);
  const numbers = new Numbers(EVENTS_OF_TRACE, 0);
  return rows.map(([step, norm, ...values]) => {
    const [seqno, row] = [Number(step), traceRow(values)];
    const own = (reached.get(`${row.start_lt} ${row.trace8}`) ?? []).filter(
      ([, , at]) => Number(at) <= seqno,
    );
    return {
      seqno,
      ordinal: numbers.next(seqno),
      row,
      hashNorm: norm as string,
      accounts: new Set(own.map(([, , , workchain, hash]) => toRawAddress(workchain, hash))),
    };
  });
}

/** Accounts with transactions in steps, by step, then address. One statement. */
export async function readChangedAccounts(
  scope: ReadScope,
  steps: Steps,
): Promise<readonly ChangedAccount[]> {
  const rows = await scope.query(
    sql`SELECT mc_seqno, workchain, hex(account), max(lt) FROM ${identifier(scope.databases.base, 'transactions')} PREWHERE ${within(steps)} GROUP BY mc_seqno, workchain, account ORDER BY mc_seqno, workchain, account`,
  );
  const numbers = new Numbers(EVENTS_OF_ACCOUNT, FIRST_OF_ACCOUNTS);
  return rows.map(([seqno, workchain, hash, lt]) => ({
    seqno: Number(seqno),
    ordinal: numbers.next(Number(seqno)),
    account: toRawAddress(workchain, hash),
    lt: lt as string,
  }));
}

/** Numbers the events of each of some steps in a row. */
class Numbers {
  readonly #each: number;
  readonly #first: number;
  #seqno = -1;
  #next = 0;

  constructor(each: number, first: number) {
    this.#each = each;
    this.#first = first;
  }

  next(seqno: number): number {
    if (seqno !== this.#seqno) this.#next = this.#first;
    this.#seqno = seqno;
    const number = this.#next;
    this.#next += this.#each;
    return number;
  }
}

function planTraces(database: string, steps: Steps): Sql {
  return sql`SELECT mc_seqno, base64Encode(external_hash_norm), ${TRACE_SELECT} FROM ${identifier(database, 'traces')} WHERE ${isChanged(steps)} ORDER BY mc_seqno, start_lt, trace8`;
}

function planPlaces(database: string, steps: Steps): Sql {
  const keys = sql`SELECT start_lt, trace8 FROM ${identifier(database, 'traces')} WHERE ${isChanged(steps)}`;
  return sql`SELECT start_lt, trace8, mc_seqno, workchain, hex(account) FROM ${identifier(database, 'trace_transactions')} WHERE mc_seqno <= ${u32(steps.last)} AND (start_lt, trace8) IN (${keys})`;
}

/** Condition: a trace that streams send was changed by the steps. */
export function isChanged(steps: Steps): Sql {
  return sql`${within(steps)} AND external_hash != toFixedString('', 32) AND transactions <= ${u32(MAX_TRANSACTIONS)}`;
}

function toRawAddress(workchain: unknown, hash: unknown): string {
  return rawAddress({ workchain: workchain as number, hash: hash as string });
}
