import { type AccountId, accountOfRaw } from '../../read/account-id.ts';
import { readEarlierStates } from '../../read/read-earlier-states.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import { readTraceIds } from '../../read/read-trace-ids.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import type { TransactionsAnswer } from '../schemas/transaction.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { standardAddress } from './message-answer.ts';
import { readAddressBook } from './read-address-book.ts';
import { transactionAnswer } from './transaction-answer.ts';

export const NO_TRANSACTIONS: TransactionsAnswer = { transactions: [], address_book: {} };

/** The answer of every list of transactions: what the rows do not hold, of states and for the address book, is read side by side. */
export async function transactionsAnswer(
  scope: ReadScope,
  rows: readonly TransactionRow[],
  withBook: boolean,
): Promise<TransactionsAnswer> {
  if (rows.length === 0) return NO_TRANSACTIONS;
  const listed = withBook ? bookAccounts(rows) : [];
  const [book, earlier, traces] = await Promise.all([
    readAddressBook(scope, listed),
    readEarlierStates(scope, rows),
    readTraceIds(scope, rows),
  ]);
  const bodies = new AnswerBodies(scope.context);
  return {
    transactions: rows.map((row) => transactionAnswer(row, earlier, bodies, traces)),
    address_book: book,
  };
}

/** The accounts of transactions, each once. */
export function traceAccounts(rows: readonly TransactionRow[]): AccountId[] {
  return [...new Set(rows.map((row) => `${row.workchain}:${row.account}`))].map(accountOfRaw);
}

/** Each transaction's account, the source of its incoming and the destinations of its outgoing messages. */
export function bookAccounts(rows: readonly TransactionRow[]): AccountId[] {
  const raw = new Set<string>();
  for (const row of rows) {
    raw.add(`${row.workchain}:${row.account}`);
    for (const message of row.messages) {
      const party = standardAddress(message.direction === 'in' ? message.source : message.destination);
      if (party) raw.add(party);
    }
  }
  return [...raw].map(accountOfRaw);
}
