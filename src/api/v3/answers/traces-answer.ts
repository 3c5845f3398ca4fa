import { type EarlierStates, readEarlierStates } from '../../read/read-earlier-states.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import { readTraceTransactions } from '../../read/read-trace-transactions.ts';
import { externalHash, type TraceRow } from '../../read/trace-row.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import { isShown } from '../parameters/action-types.ts';
import type { TraceAnswer, TracesAnswer } from '../schemas/trace.ts';
import { actionAnswer } from './action-answer.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { type ClassifiedTraces, classifyTraces } from './classify-traces.ts';
import { readAddressBook } from './read-address-book.ts';
import { traceTree } from './trace-tree.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { traceAccounts } from './transactions-answer.ts';

/** A larger trace is answered without its transactions (v3-endpoints.md 4.1). */
export const MOST_TRANSACTIONS = 4_000;

export interface TracesChoices {
  readonly withBook: boolean;
  /** Types of actions that the client shows; null: traces without actions. */
  readonly actionTypes: ReadonlySet<string> | null;
}

/** The answer of `/traces`: transactions, then what they do not hold of states and for the address book. */
export async function tracesAnswer(
  scope: ReadScope<'base' | 'traces'>,
  traces: readonly TraceRow[],
  { withBook, actionTypes }: TracesChoices,
): Promise<TracesAnswer> {
  const shown = traces.filter(({ transactions }) => transactions <= MOST_TRANSACTIONS);
  const transactions = await readTraceTransactions(scope, shown);
  const rows = [...transactions.values()].flat();
  const listed = withBook ? traceAccounts(rows) : [];
  const [book, earlier, classified] = await Promise.all([
    readAddressBook(scope, listed),
    readEarlierStates(scope, rows),
    actionTypes ? classifyTraces(scope, shown, transactions) : NOT_CLASSIFIED,
  ]);
  const shared = { earlier, bodies: new AnswerBodies(scope.context) };
  return {
    traces: traces.map((trace) => {
      const head = traceHead(trace, classified.get(trace)?.state ?? 'unclassified');
      const actions = actionTypes ? { actions: actionsOf(trace, classified, actionTypes) } : {};
      if (trace.transactions > MOST_TRANSACTIONS)
        return { ...head, is_incomplete: true, warning: 'trace is too large', ...actions };
      return { ...head, ...traceBody(trace, transactions.get(trace) ?? [], shared, actions) };
    }),
    address_book: book,
    metadata: {},
  };
}

const NOT_CLASSIFIED: ClassifiedTraces = new Map();

/** The actions that the client shows, by start, then end. */
function actionsOf(trace: TraceRow, classified: ClassifiedTraces, types: ReadonlySet<string>) {
  const actions = (classified.get(trace)?.actions ?? []).filter((action) => isShown(action, types));
  return actions
    .toSorted((a, b) => Number(a.startLt - b.startLt) || Number(a.endLt - b.endLt))
    .map((action) => actionAnswer(action, trace));
}

/** What a trace is shown with whatever its size (v3-models.md 7). */
function traceHead(trace: TraceRow, classification: TraceAnswer['trace_info']['classification_state']) {
  return {
    trace_id: trace.trace_id,
    external_hash: externalHash(trace),
    mc_seqno_start: `${trace.mc_seqno_start}`,
    mc_seqno_end: `${trace.mc_seqno_end}`,
    start_lt: trace.start_lt,
    start_utime: trace.start_utime,
    end_lt: trace.end_lt,
    end_utime: trace.end_utime,
    trace_info: {
      trace_state: trace.state,
      messages: trace.messages,
      transactions: trace.transactions,
      pending_messages: trace.pending_messages,
      classification_state: classification,
    },
  };
}

/** What the traces of an answer have in common. */
interface Shared {
  readonly earlier: EarlierStates;
  readonly bodies: AnswerBodies;
}

function traceBody(
  trace: TraceRow,
  rows: readonly TransactionRow[],
  shared: Shared,
  actions: Pick<TraceAnswer, 'actions'>,
) {
  const { root, lacksNodes } = traceTree(rows);
  const external = externalHash(trace);
  const id = { trace_id: trace.trace_id, ...(external === null ? {} : { trace_external_hash: external }) };
  return {
    is_incomplete: rows.length < trace.transactions,
    ...(lacksNodes ? { warning: 'missing node in trace found' } : {}),
    ...actions,
    ...(root ? { trace: root } : {}),
    transactions_order: rows.map(({ hash }) => hash),
    transactions: Object.fromEntries(
      rows.map((row) => [
        row.hash,
        transactionAnswer(row, shared.earlier, shared.bodies, new Map([[row.hash, id]])),
      ]),
    ),
  };
}
