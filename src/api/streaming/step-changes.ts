import { TRACE_SELECT, type TraceRow, traceRow } from '../entities/traces/model.ts';
import { rawAddress } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import { Conditions, type Statement } from '../query/statement.ts';
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
  const conditions = within(steps);
  const rows = await scope.query(
    conditions.statement(
      `SELECT mc_seqno, workchain, hex(account), max(lt) FROM ${scope.databases.base}.transactions PREWHERE ${conditions.text}` +
        ' GROUP BY mc_seqno, workchain, account ORDER BY mc_seqno, workchain, account',
    ),
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

function planTraces(database: string, steps: Steps): Statement {
  const conditions = changedTraces(steps);
  return conditions.statement(
    `SELECT mc_seqno, base64Encode(external_hash_norm), ${TRACE_SELECT} FROM ${database}.traces WHERE ${conditions.text}` +
      ' ORDER BY mc_seqno, start_lt, trace8',
  );
}

function planPlaces(database: string, steps: Steps): Statement {
  const conditions = changedTraces(steps);
  return conditions.statement(
    `SELECT start_lt, trace8, mc_seqno, workchain, hex(account) FROM ${database}.trace_transactions` +
      ` WHERE mc_seqno <= {last:UInt32} AND (start_lt, trace8) IN (SELECT start_lt, trace8 FROM ${database}.traces WHERE ${conditions.text})`,
  );
}

function changedTraces(steps: Steps): Conditions {
  return within(steps)
    .add("external_hash != toFixedString('', 32)")
    .add('transactions <= {most:UInt32}', { most: MAX_TRANSACTIONS });
}

function within({ first, last }: Steps): Conditions {
  return new Conditions().add('mc_seqno >= {first:UInt32} AND mc_seqno <= {last:UInt32}', { first, last });
}

function toRawAddress(workchain: unknown, hash: unknown): string {
  return rawAddress({ workchain: workchain as number, hash: hash as string });
}
