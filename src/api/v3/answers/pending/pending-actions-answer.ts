import type { ClassifiedAction } from '../../../classifier-port.ts';
import { readEarlierStates } from '../../../entities/transactions/earlier-states.ts';
import type { PendingTrace } from '../../../pending/pending-trace.ts';
import type { ReadScope } from '../../../query/scope.ts';
import type { ActionAnswer, ActionsAnswer } from '../../schemas/action.ts';
import type { TransactionAnswer } from '../../schemas/transaction.ts';
import { addressesOfActions } from '../action-addresses.ts';
import { byEnd } from '../action-answer.ts';
import { AnswerBodies } from '../answer-bodies.ts';
import { actionOfPending, classifyPending, shownActions } from './classify-pending.ts';
import { unconfirmedBook, unconfirmedMetadata } from './describe-unconfirmed.ts';
import type { PendingChoices } from './pending-traces-answer.ts';
import { pendingTransactionAnswer } from './pending-transaction-answer.ts';

export interface PendingActionsChoices extends PendingChoices {
  /** Raw address of an account that takes part; null for any. */
  readonly account: string | null;
  readonly withTransactions: boolean;
}

interface Found {
  readonly trace: PendingTrace;
  readonly action: ClassifiedAction;
}

/** The answer of `/pendingActions`, those that end last first. */
export async function pendingActionsAnswer(
  scope: ReadScope,
  traces: readonly PendingTrace[],
  choices: PendingActionsChoices,
): Promise<ActionsAnswer> {
  const { types, account, withTransactions, addressBook, metadata } = choices;
  const { outcomes, unconfirmed } = await classifyPending(scope, traces);
  const found: Found[] = [...outcomes].flatMap(([trace, outcome]) =>
    shownActions(outcome, types)
      .filter(({ accounts }) => account === null || accounts.includes(account))
      .map((action) => ({ trace, action })),
  );
  found.sort((a, b) => byEnd(a.action, b.action));
  const shown = found.map(({ action }) => action);
  const named = addressesOfActions(shown, false);
  const [book, described, transactions] = await Promise.all([
    addressBook ? unconfirmedBook(scope, named, unconfirmed.accounts) : {},
    metadata ? unconfirmedMetadata(scope, named, unconfirmed.tokens) : {},
    withTransactions ? loadTransactions(scope, found) : null,
  ]);
  return {
    actions: found.map(({ trace, action }) => withFull(actionOfPending(action, trace), transactions)),
    address_book: book,
    metadata: described,
  };
}

function withFull(action: ActionAnswer, known: ReadonlyMap<string, TransactionAnswer> | null): ActionAnswer {
  if (!known) return action;
  return { ...action, transactions_full: action.transactions.flatMap((hash) => known.get(hash) ?? []) };
}

/** The transactions of the traces by their hash. */
async function loadTransactions(
  scope: ReadScope,
  found: readonly Found[],
): Promise<ReadonlyMap<string, TransactionAnswer>> {
  const traces = [...new Set(found.map(({ trace }) => trace))];
  const rows = traces.flatMap(({ transactions }) => transactions).map(({ row }) => row);
  const earlier = await readEarlierStates(scope, rows);
  const bodies = new AnswerBodies(scope.context);
  const answers = traces.flatMap((trace) =>
    trace.transactions.map((one) => pendingTransactionAnswer(trace, one, earlier, bodies)),
  );
  return new Map(answers.map((answer) => [answer.hash, answer]));
}
