import type { ClassifiedAction, ClassifiedTrace } from '../../classifier-port.ts';
import { externalHash, type TraceRow } from '../../entities/traces/model.ts';
import { readTraceTransactions } from '../../entities/traces/transactions.ts';
import { type EarlierStates, readEarlierStates } from '../../entities/transactions/earlier-states.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { accountOfRaw, rawAddress } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { Switches } from '../endpoint.ts';
import { isShown } from '../parameters/action-types.ts';
import type { TraceAnswer, TracesAnswer } from '../schemas/trace.ts';
import { addressesOfActions } from './action-addresses.ts';
import { actionAnswer } from './action-answer.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { type ClassifiedTraces, classifyTraces } from './classify-traces.ts';
import { readAddedMetadata } from './describe-addresses.ts';
import { readAddressBook } from './read-address-book.ts';
import { traceTree } from './trace-tree.ts';
import { transactionAnswer } from './transaction-answer.ts';
import { traceAccounts } from './transactions-answer.ts';

/** A larger trace is answered without its transactions (v3-endpoints.md 4.1). */
export const MAX_TRANSACTIONS = 4_000;

export interface TracesChoices extends Pick<Switches, 'addressBook' | 'metadata'> {
  /** Types of actions that the client shows; null: traces without actions. */
  readonly actionTypes: ReadonlySet<string> | null;
}

/** The answer of `/traces`: transactions, then what they do not hold of states, and who their accounts are. */
export async function tracesAnswer(
  scope: ReadScope<'base' | 'traces'>,
  traces: readonly TraceRow[],
  choices: TracesChoices,
): Promise<TracesAnswer> {
  const shown = traces.filter(({ transactions }) => transactions <= MAX_TRANSACTIONS);
  const transactions = await readTraceTransactions(scope, shown);
  const rows = [...transactions.values()].flat();
  const [earlier, { actions, ...addressParts }] = await Promise.all([
    readEarlierStates(scope, rows),
    readAdditions(scope, { traces, shown, transactions }, choices),
  ]);
  const shared = { earlier, bodies: new AnswerBodies(scope.context) };
  return {
    traces: traces.map((trace) => {
      const shownTrace = actions.get(trace)!;
      const head = traceHead(trace, shownTrace.state);
      const own = choices.actionTypes
        ? { actions: shownTrace.shown.map((one) => actionAnswer(one, trace)) }
        : {};
      if (trace.transactions > MAX_TRANSACTIONS)
        return { ...head, is_incomplete: true, warning: 'trace is too large', ...own };
      return { ...head, ...traceBody(trace, transactions.get(trace) ?? [], shared, own) };
    }),
    ...addressParts,
  };
}

/** The traces of an answer: all, and those with their transactions. */
interface Found {
  readonly traces: readonly TraceRow[];
  readonly shown: readonly TraceRow[];
  readonly transactions: ReadonlyMap<unknown, readonly TransactionRow[]>;
}

/** Classification of a trace, and its actions that the client shows. */
interface ShownActions {
  readonly state: TraceAnswer['trace_info']['classification_state'];
  readonly shown: readonly ClassifiedAction[];
}

/** Actions of the traces, then who the accounts of their transactions and actions are. */
async function readAdditions(
  scope: ReadScope<'base' | 'traces'>,
  { traces, shown, transactions }: Found,
  { actionTypes, addressBook, metadata }: TracesChoices,
) {
  const classified = actionTypes ? await classifyTraces(scope, shown, transactions) : NOT_CLASSIFIED;
  const actions = new Map(traces.map((trace) => [trace, toShownActions(classified.get(trace), actionTypes)]));
  const own = traceAccounts([...transactions.values()].flat()).map(rawAddress);
  const inActions = addressesOfActions(
    [...actions.values()].flatMap((shownTrace) => shownTrace.shown),
    false,
  );
  const listed = [...new Set([...own, ...inActions])].map(accountOfRaw);
  const [book, described] = await Promise.all([
    addressBook ? readAddressBook(scope, listed) : {},
    metadata ? readAddedMetadata(scope, listed) : {},
  ]);
  return { actions, address_book: book, metadata: described };
}

const NOT_CLASSIFIED: ClassifiedTraces = new Map();

/** Its actions by start, then end. */
function toShownActions(
  classified: Pick<ClassifiedTrace, 'state' | 'actions'> | undefined,
  types: ReadonlySet<string> | null,
): ShownActions {
  const shown = (classified?.actions ?? []).filter((action) => types && isShown(action, types));
  return {
    state: classified?.state ?? 'unclassified',
    shown: shown.toSorted((a, b) => Number(a.startLt - b.startLt) || Number(a.endLt - b.endLt)),
  };
}

/** Fields that a trace is shown with whatever its size (v3-models.md 7). */
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

/** Facts that the traces of an answer share. */
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
