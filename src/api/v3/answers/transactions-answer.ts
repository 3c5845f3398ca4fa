import { type AccountId, accountOfRaw } from '../../read/account-id.ts';
import { readCodes } from '../../read/read-codes.ts';
import { readEarlierStates } from '../../read/read-earlier-states.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { TransactionRow } from '../../read/transaction-row.ts';
import type { TransactionsAnswer } from '../schemas/transaction.ts';
import { addressBook } from './address-book-answer.ts';
import { standardAddress } from './message-answer.ts';
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
  const [codes, earlier] = await Promise.all([readCodes(scope, listed), readEarlierStates(scope, rows)]);
  return {
    transactions: rows.map((row) => transactionAnswer(row, earlier)),
    address_book: addressBook(listed, codes, scope.context.network.testnet),
  };
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
