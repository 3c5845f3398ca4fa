import { toBase64 } from '../../../ton/hash/base64.ts';
import type { PendingTrace, PendingTransaction } from '../../pending/pending-trace.ts';
import { readCodes } from '../../read/read-codes.ts';
import { type EarlierStates, readEarlierStates } from '../../read/read-earlier-states.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { TraceAnswer, TraceNodeAnswer, TracesAnswer } from '../schemas/trace.ts';
import { addressBook } from './address-book-answer.ts';
import { pendingTransactionAnswer } from './pending-transaction-answer.ts';
import { bookAccounts } from './transactions-answer.ts';

export const NO_TRACES: TracesAnswer = { traces: [], address_book: {}, metadata: {} };

/** The answer of `/pendingTraces`. */
export async function pendingTracesAnswer(
  scope: ReadScope,
  traces: readonly PendingTrace[],
  withBook: boolean,
): Promise<TracesAnswer> {
  const rows = traces
    .filter(({ isTooLarge }) => !isTooLarge)
    .flatMap(({ transactions }) => transactions)
    .map(({ row }) => row);
  const listed = withBook ? bookAccounts(rows) : [];
  const [codes, earlier] = await Promise.all([readCodes(scope, listed), readEarlierStates(scope, rows)]);
  return {
    traces: traces.map((trace) => traceAnswer(trace, earlier)),
    address_book: addressBook(listed, codes, scope.context.network.testnet),
    metadata: {},
  };
}

/** Trace of v3-models.md section 7. Nothing classifies traces yet, so that no actions are known. */
export function traceAnswer(trace: PendingTrace, earlier: EarlierStates): TraceAnswer {
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
      classification_state: 'unclassified',
    },
  };
  if (isTooLarge) return { ...head, is_incomplete: true, warning: 'trace is too large', actions: [] };
  return {
    ...head,
    is_incomplete: untaken > 0,
    actions: [],
    trace: traceNode(transactions),
    transactions_order: transactions.map(({ row }) => row.hash),
    transactions: Object.fromEntries(
      transactions.map((one) => [one.row.hash, pendingTransactionAnswer(trace, one, earlier)]),
    ),
  };
}

/** The tree of transactions in the order of their lt: children come behind their parents, and are made before them. */
function traceNode(transactions: readonly PendingTransaction[]): TraceNodeAnswer {
  const nodes = new Map<PendingTransaction, TraceNodeAnswer>();
  for (const one of transactions.toReversed()) {
    const { row, children } = one;
    const incoming = row.messages.find(({ direction }) => direction === 'in');
    const isLeaf = row.messages.every(({ direction }) => direction === 'in');
    nodes.set(one, {
      tx_hash: row.hash,
      ...(incoming ? { in_msg_hash: toBase64(incoming.hash) } : {}),
      // Messages out, but to nobody who took them (v3-models.md 7).
      children: children.length > 0 || isLeaf ? children.map((child) => nodes.get(child)!) : null,
    });
  }
  return nodes.get(transactions[0]!)!;
}
