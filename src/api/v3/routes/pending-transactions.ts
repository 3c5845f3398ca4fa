import { HttpError } from '../../http/errors/http-error.ts';
import { isNamedBy, isOfAccounts, readPending } from '../../pending/read-pending.ts';
import type { AccountId } from '../../query/account-id.ts';
import { pendingTransactionsAnswer } from '../answers/pending/pending-transactions-answer.ts';
import { endpoint } from '../endpoint.ts';
import { accounts, hashes } from '../parameters/forms.ts';
import { TransactionsSchema } from '../schemas/transaction.ts';

interface Named {
  readonly account: readonly AccountId[];
  readonly trace_id: readonly string[];
}

const nothing = () => new HttpError(404, 'emulated traces not found');

/** A trace id is enough, unlike on the real server (v3-more.md 6.2). */
function requireKey({ account, trace_id }: Named): void {
  if (account.length === 0 && trace_id.length === 0)
    throw new HttpError(422, 'at least 1 account address required');
}

/** `/pendingTransactions` (v3-endpoints.md 2.9). */
export const pendingTransactions = endpoint({
  path: '/pendingTransactions',
  tag: 'blockchain',
  summary: 'Emulated transactions of messages that were sent and are in no block yet, newest first.',
  reads: ['base'],
  parameters: {
    account: accounts('Only these accounts, in any form; repeated or comma-separated.'),
    trace_id: hashes('Only these traces: hash of the first transaction or of the external message.'),
  },
  answer: TransactionsSchema,
  check: requireKey,
  async handle(scope, values) {
    const { account, trace_id } = values;
    const found = (await readPending(scope))
      .filter((trace) => trace_id.length === 0 || isNamedBy(trace, trace_id))
      .flatMap((trace) => trace.transactions.map((transaction) => ({ trace, transaction })))
      .filter(({ transaction }) => transaction.emulated)
      .filter(({ transaction }) => account.length === 0 || isOfAccounts(transaction, account));
    if (found.length === 0) throw nothing();
    return pendingTransactionsAnswer(scope, found);
  },
});
