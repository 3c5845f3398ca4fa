import { type AccountId, accountOfRaw } from '../../read/account-id.ts';
import { readPageAccounts } from '../../read/read-page-accounts.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import type { TransactionsAnswer } from '../schemas/transaction.ts';
import { addressBook } from './address-book-answer.ts';
import { standardAddress } from './message-answer.ts';
import { transactionAnswer } from './transaction-answer.ts';

export const NO_TRANSACTIONS: TransactionsAnswer = { transactions: [], address_book: {} };

/** The answer of every list of transactions: one query for the states and the address book of the page. */
export async function transactionsAnswer(
  scope: ReadScope,
  rows: readonly TransactionRow[],
  withBook: boolean,
): Promise<TransactionsAnswer> {
  if (rows.length === 0) return NO_TRANSACTIONS;
  const listed = withBook ? bookAccounts(rows) : [];
  const page = await readPageAccounts(scope, rows, listed);
  return {
    transactions: rows.map((row) => transactionAnswer(row, page)),
    address_book: addressBook(listed, page.codes, scope.context.network.testnet),
  };
}

/** Each transaction's account, the source of its incoming and the destinations of its outgoing messages. */
function bookAccounts(rows: readonly TransactionRow[]): AccountId[] {
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
