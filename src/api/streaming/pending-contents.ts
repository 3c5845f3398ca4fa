import { toBase64 } from '../../ton/hash/base64.ts';
import type { ClassifiedAction, ClassifiedTrace } from '../classifier-port.ts';
import type { PendingTrace, PendingTransaction } from '../pending/pending-trace.ts';
import { rawAddress } from '../query/account-id.ts';
import type { ServeContext } from '../serve-context.ts';
import { addressesOfActions } from '../v3/answers/action-addresses.ts';
import { AnswerBodies } from '../v3/answers/answer-bodies.ts';
import { actionOfPending } from '../v3/answers/pending/classify-pending.ts';
import { pendingTransactionAnswer } from '../v3/answers/pending/pending-transaction-answer.ts';
import { traceTree } from '../v3/answers/trace-tree.ts';
import { bookAccounts } from '../v3/answers/transactions-answer.ts';
import { isShown } from '../v3/parameters/action-types.ts';
import type { Subscription } from './subscription.ts';
import type { TraceContent } from './trace-contents.ts';

/** A trace that has emulated transactions, and what it was classified as; undefined while that is not known. */
export interface ForeseenTrace {
  readonly trace: PendingTrace;
  readonly outcome: ClassifiedTrace | undefined;
  readonly context: ServeContext;
}

/** Body of an event of level `pending` for a subscription; null where nothing of it is wanted. */
type BuildContent = (foreseen: ForeseenTrace, subscription: Subscription) => TraceContent | null;

/** The emulated transactions on subscribed accounts, lt descending. */
export const pendingTransactions: BuildContent = (foreseen, { addresses }) => {
  const { transactions } = foreseen.trace;
  const own = transactions.filter((one) => one.emulated && addresses.has(getAccount(one))).toReversed();
  if (own.length === 0) return null;
  return {
    key: own.map(({ row }) => row.hash).join(),
    text: () =>
      `${head('transactions', foreseen)},"transactions":[${own.map((one) => toText(one, foreseen))}]`,
    addresses: () => bookAccounts(own.map(({ row }) => row)).map(rawAddress),
  };
};

/** The actions that concern subscribed accounts, end_lt then start_lt descending. */
export const pendingActions: BuildContent = (foreseen, subscription) => {
  const own = shownActions(foreseen, subscription)
    .filter(({ accounts }) => accounts.some((account) => subscription.addresses.has(account)))
    .toSorted((a, b) => Number(b.endLt - a.endLt) || Number(b.startLt - a.startLt));
  if (own.length === 0) return null;
  return {
    key: own.map(({ actionId }) => actionId).join(),
    text: () => `${head('actions', foreseen)},"actions":[${actionTexts(own, foreseen)}]`,
    addresses: () => addressesOfActions(own, true),
  };
};

/** The whole trace, what is in a block already with it; `actions` is left out where none is shown. */
export const pendingTrace: BuildContent = (foreseen, subscription) => {
  const { transactions, isTooLarge } = foreseen.trace;
  const rows = transactions.map(({ row }) => row);
  const { root } = traceTree(rows);
  if (!root || isTooLarge) return null;
  const own = shownActions(foreseen, subscription);
  const texts = () => transactions.map((one) => `${JSON.stringify(one.row.hash)}:${toText(one, foreseen)}`);
  const actions = () => (own.length > 0 ? `,"actions":[${actionTexts(own, foreseen)}]` : '');
  return {
    key: [...rows.map(({ hash }) => hash), ...own.map(({ actionId }) => actionId)].join(),
    text: () =>
      `${head('trace', foreseen)},"trace":${JSON.stringify(root)},"transactions":{${texts()}}${actions()}`,
    addresses: () => [...bookAccounts(rows).map(rawAddress), ...addressesOfActions(own, true)],
  };
};

/** Accounts of the emulated transactions. */
export function foreseenAccounts({ transactions }: PendingTrace): ReadonlySet<string> {
  return new Set(transactions.filter((one) => one.emulated).map(getAccount));
}

function head(type: string, { trace }: ForeseenTrace): string {
  const norm = JSON.stringify(toBase64(trace.externalHashNorm));
  return `{"type":"${type}","finality":"pending","trace_external_hash_norm":${norm}`;
}

function getAccount({ row }: PendingTransaction): string {
  return rawAddress({ workchain: row.workchain, hash: row.account });
}

/** Transaction of streaming.md 6, with only the hashes of the states around it. */
function toText(one: PendingTransaction, { trace, context }: ForeseenTrace): string {
  return JSON.stringify({
    ...pendingTransactionAnswer(trace, one, new Map(), new AnswerBodies(context)),
    account_state_before: { hash: one.row.state_hash_before },
    account_state_after: { hash: one.row.state_hash_after },
  });
}

function actionTexts(actions: readonly ClassifiedAction[], { trace }: ForeseenTrace): string {
  return actions.map((action) => JSON.stringify(actionOfPending(action, trace, true))).join();
}

/** Actions that a client shows; action_types narrows those of `actions` and of `trace` alike (streaming.md 12, 4). */
function shownActions(
  { outcome }: ForeseenTrace,
  { supported, actionTypes }: Subscription,
): readonly ClassifiedAction[] {
  return (outcome?.actions ?? []).filter(
    (action) =>
      isShown(action, supported) &&
      (actionTypes === null || actionTypes.has(action.answeredType) || actionTypes.has(action.type)),
  );
}
