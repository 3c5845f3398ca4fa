import type { ClassifiedAction } from '../classifier-port.ts';
import { externalHash } from '../entities/traces/model.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { rawAddress } from '../query/account-id.ts';
import type { ServeContext } from '../serve-context.ts';
import { addressesOfActions } from '../v3/answers/action-addresses.ts';
import { actionAnswer } from '../v3/answers/action-answer.ts';
import { AnswerBodies } from '../v3/answers/answer-bodies.ts';
import { traceTree } from '../v3/answers/trace-tree.ts';
import { transactionAnswer } from '../v3/answers/transaction-answer.ts';
import { bookAccounts } from '../v3/answers/transactions-answer.ts';
import { isShown } from '../v3/parameters/action-types.ts';
import type { ChangedTrace } from './step-changes.ts';
import type { Draft } from './stream-event.ts';
import type { Subscription } from './subscription.ts';
import type { Subscribed } from './subscription-index.ts';

/** A changed trace with its transactions as of its step, by lt, and its actions if it was classified. */
export interface LoadedTrace {
  readonly change: ChangedTrace;
  readonly rows: readonly TransactionRow[];
  readonly actions: readonly ClassifiedAction[];
  /** Where message bodies are decoded by. */
  readonly context: ServeContext;
  /** True if the actions replace others that were sent. Default false. */
  readonly isCorrected?: boolean;
  /** True if a token in it was not examined: the stored actions may differ. Default false. */
  readonly isUnsettled?: boolean;
}

/** Body of an event of a trace. */
export type TraceContent = Pick<Draft<Subscribed>, 'key' | 'text' | 'addresses'>;

/** Body of an event for a subscription; null where nothing of it is wanted. */
type BuildContent = (trace: LoadedTrace, subscription: Subscription) => TraceContent | null;

/** The transactions on subscribed accounts, lt descending. */
export const transactionsContent: BuildContent = (trace, { addresses }) => {
  const own = trace.rows.filter((row) => addresses.has(getAccount(row))).toReversed();
  if (own.length === 0) return null;
  return {
    key: own.map(({ lt, account }) => `${lt} ${account}`).join(),
    text: () => `${head('transactions', trace)},"transactions":[${own.map((row) => toText(row, trace))}]`,
    addresses: () => bookAccounts(own).map(rawAddress),
  };
};

/** The actions that concern subscribed accounts, end_lt then start_lt descending. */
export const actionsContent: BuildContent = (trace, subscription) => {
  const { addresses } = subscription;
  const own = shownActions(trace, subscription)
    .filter(({ accounts }) => accounts.some((account) => addresses.has(account)))
    .toSorted((a, b) => Number(b.endLt - a.endLt) || Number(b.startLt - a.startLt));
  if (own.length === 0) return null;
  return {
    key: own.map(({ actionId }) => actionId).join(),
    text: () => `${head('actions', trace)},"actions":[${own.map((action) => actionText(action, trace))}]`,
    addresses: () => addressesOfActions(own, true),
  };
};

/** The whole trace; `actions` is left out where none is shown. */
export const traceContent: BuildContent = (trace, subscription) => {
  const { root } = traceTree(trace.rows);
  if (!root) return null;
  const own = shownActions(trace, subscription);
  const actions = () => `,"actions":[${own.map((action) => actionText(action, trace))}]`;
  const transactions = () =>
    trace.rows.map((row) => `${JSON.stringify(row.hash)}:${toText(row, trace)}`).join(',');
  return {
    key: own.map(({ actionId }) => actionId).join(),
    text: () =>
      `${head('trace', trace)},"trace":${JSON.stringify(root)},"transactions":{${transactions()}}${own.length > 0 ? actions() : ''}`,
    addresses: () => [...bookAccounts(trace.rows).map(rawAddress), ...addressesOfActions(own, true)],
  };
};

function head(type: string, { change, isCorrected }: LoadedTrace): string {
  const norm = JSON.stringify(change.hashNorm);
  const mark = isCorrected ? ',"corrected":true' : '';
  return `{"type":"${type}","finality":"finalized","trace_external_hash_norm":${norm}${mark}`;
}

function getAccount({ workchain, account }: TransactionRow): string {
  return rawAddress({ workchain, hash: account });
}

/** Actions that a client shows; action_types narrows those of `actions` and of `trace` alike (streaming.md 12, 4). */
function shownActions(
  { actions }: LoadedTrace,
  { supported, actionTypes }: Subscription,
): ClassifiedAction[] {
  return actions.filter(
    (action) =>
      isShown(action, supported) &&
      (actionTypes === null || actionTypes.has(action.answeredType) || actionTypes.has(action.type)),
  );
}

/** Many clients are sent the same transaction: its text is made once. */
const TEXTS = new WeakMap<TransactionRow | ClassifiedAction, string>();

/** Transaction of streaming.md 6, with only the hashes of the states around it. */
function toText(row: TransactionRow, { change, context }: LoadedTrace): string {
  const known = TEXTS.get(row);
  if (known !== undefined) return known;
  const external = externalHash(change.row);
  const id = {
    trace_id: change.row.trace_id,
    ...(external === null ? {} : { trace_external_hash: external }),
  };
  const text = JSON.stringify({
    // Each with room of its own: its text is the same for all receivers.
    ...transactionAnswer(row, new Map(), new AnswerBodies(context), new Map([[row.hash, id]])),
    account_state_before: { hash: row.state_hash_before },
    account_state_after: { hash: row.state_hash_after },
  });
  TEXTS.set(row, text);
  return text;
}

/** An action of an event, JSON. */
export function actionText(action: ClassifiedAction, { change }: LoadedTrace): string {
  const known = TEXTS.get(action);
  if (known !== undefined) return known;
  const text = JSON.stringify(actionAnswer(action, change.row, true));
  TEXTS.set(action, text);
  return text;
}
