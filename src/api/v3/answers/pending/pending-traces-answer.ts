import { toBase64 } from '../../../../ton/hash/base64.ts';
import { type EarlierStates, readEarlierStates } from '../../../entities/transactions/earlier-states.ts';
import type { PendingTrace, PendingTransaction } from '../../../pending/pending-trace.ts';
import { rawAddress } from '../../../query/account-id.ts';
import type { ReadScope } from '../../../query/scope.ts';
import type { Switches } from '../../endpoint.ts';
import type { ActionAnswer } from '../../schemas/action.ts';
import type { TraceAnswer, TracesAnswer } from '../../schemas/trace.ts';
import { addressesOfActions } from '../action-addresses.ts';
import { AnswerBodies } from '../answer-bodies.ts';
import { traceTree } from '../trace-tree.ts';
import { traceAccounts } from '../transactions-answer.ts';
import { actionOfPending, classifyPending, shownActions } from './classify-pending.ts';
import { unconfirmedBook, unconfirmedMetadata } from './describe-unconfirmed.ts';
import { pendingTransactionAnswer } from './pending-transaction-answer.ts';

export const NO_TRACES: TracesAnswer = { traces: [], address_book: {}, metadata: {} };

/** Choices of a request for pending traces or their actions. */
export interface PendingChoices extends Pick<Switches, 'addressBook' | 'metadata'> {
  /** Types of actions that the client shows. */
  readonly types: ReadonlySet<string>;
}

/** The answer of `/pendingTraces`. */
export async function pendingTracesAnswer(
  scope: ReadScope,
  traces: readonly PendingTrace[],
  { types, addressBook, metadata }: PendingChoices,
): Promise<TracesAnswer> {
  const rows = traces
    .filter(({ isTooLarge }) => !isTooLarge)
    .flatMap(({ transactions }) => transactions)
    .map(({ row }) => row);
  const [{ outcomes, unconfirmed }, earlier] = await Promise.all([
    classifyPending(scope, traces),
    readEarlierStates(scope, rows),
  ]);
  const actions = [...outcomes.values()].flatMap((outcome) => shownActions(outcome, types));
  const named = [...new Set([...traceAccounts(rows).map(rawAddress), ...addressesOfActions(actions, false)])];
  const [book, described] = await Promise.all([
    addressBook ? unconfirmedBook(scope, named, unconfirmed.accounts) : {},
    metadata ? unconfirmedMetadata(scope, named, unconfirmed.tokens) : {},
  ]);
  const bodies = new AnswerBodies(scope.context);
  const classified = (trace: PendingTrace): ShownActions => ({
    state: outcomes.get(trace)?.state ?? 'unclassified',
    actions: shownActions(outcomes.get(trace), types).map((action) => actionOfPending(action, trace)),
  });
  return {
    traces: traces.map((trace) => traceAnswer(trace, earlier, bodies, classified(trace))),
    address_book: book,
    metadata: described,
  };
}

/** Classification of a trace, and the actions that are shown of it. */
interface ShownActions {
  readonly state: TraceAnswer['trace_info']['classification_state'];
  readonly actions: readonly ActionAnswer[];
}

const UNCLASSIFIED: ShownActions = { state: 'unclassified', actions: [] };

/** Trace of v3-models.md section 7. */
export function traceAnswer(
  trace: PendingTrace,
  earlier: EarlierStates,
  bodies: AnswerBodies,
  { state, actions }: ShownActions = UNCLASSIFIED,
): TraceAnswer {
  const { root, transactions, externalHash, messages, untaken, isTooLarge } = trace;
  const last = transactions.at(-1)!.row;
  const seqnos = transactions.map(({ row, emulated }) => (emulated ? 0 : row.mc_seqno));
  const head = {
    trace_id: root.emulated ? null : root.row.hash,
    external_hash: toBase64(externalHash),
    mc_seqno_start: `${seqnos[0]}`,
    mc_seqno_end: `${Math.max(...seqnos)}`,
    start_lt: root.row.lt,
    start_utime: root.row.now,
    end_lt: last.lt,
    end_utime: last.now,
    trace_info: {
      trace_state: 'pending',
      messages,
      transactions: transactions.length,
      pending_messages: untaken,
      classification_state: state,
    },
  };
  if (isTooLarge)
    return { ...head, is_incomplete: true, warning: 'trace is too large', actions: [...actions] };
  return {
    ...head,
    is_incomplete: untaken > 0,
    actions: [...actions],
    ...buildTrace(transactions),
    transactions_order: transactions.map(({ row }) => row.hash),
    transactions: Object.fromEntries(
      transactions.map((one) => [one.row.hash, pendingTransactionAnswer(trace, one, earlier, bodies)]),
    ),
  };
}

function buildTrace(transactions: readonly PendingTransaction[]): Pick<TraceAnswer, 'trace'> {
  const { root } = traceTree(transactions.map(({ row }) => row));
  return root ? { trace: root } : {};
}
