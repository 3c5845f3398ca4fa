import type { Action } from '../model/action.ts';
import type { Trace } from '../model/trace.ts';

/** The action of a trace that no rule recognises; successful if no transaction was aborted. */
export function unknownAction({ traceId, transactions }: Trace): Action {
  const lts = transactions.map(({ lt }) => lt);
  const times = transactions.map(({ now }) => now);
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);
  return {
    type: 'unknown',
    answeredType: 'unknown',
    actionId: traceId,
    traceId,
    parentActionId: null,
    ancestorTypes: [],
    success: transactions.every(({ aborted }) => !aborted),
    startLt: lts.reduce(least),
    endLt: lts.reduce(most),
    startUtime: Math.min(...times),
    endUtime: Math.max(...times),
    mcSeqnoEnd: Math.max(...transactions.map(({ mcSeqno }) => mcSeqno)),
    accounts: [...new Set(transactions.map(({ account }) => account))],
    txHashes: transactions.map(({ hash }) => hash),
    columns: {},
    details: null,
  };
}
