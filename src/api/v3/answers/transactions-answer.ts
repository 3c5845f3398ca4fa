import { NO_TRACE_IDS, readTraceIds } from '../../entities/traces/ids.ts';
import { readEarlierStates } from '../../entities/transactions/earlier-states.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import { mapInChunks } from '../../http/fairness/map-in-chunks.ts';
import { type AccountId, accountOfRaw } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { SelectedFields } from '../fields.ts';
import type { AddressBook } from '../schemas/address-book.ts';
import type { TransactionsAnswer } from '../schemas/transaction.ts';
import { AnswerBodies, undecodedBodies } from './answer-bodies.ts';
import { standardAddress } from './message-answer.ts';
import { readAddressBook } from './read-address-book.ts';
import { HEAD_FIELDS, headAnswer, transactionAnswer } from './transaction-answer.ts';

export const NO_TRANSACTIONS: TransactionsAnswer = { transactions: [], address_book: {} };

/** The answer of every list of transactions: states and the address book that the rows lack are read in parallel. */
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
    transactions: await mapInChunks(rows, (row) => transactionAnswer(row, earlier, bodies, traces)),
    address_book: book,
  };
}

/** The same for selected fields: data for other fields is neither read nor decoded. */
export async function selectedTransactions(
  scope: ReadScope,
  rows: readonly TransactionRow[],
  fields: SelectedFields,
): Promise<{ readonly transactions: readonly object[]; readonly address_book: AddressBook }> {
  if (rows.length === 0) return NO_TRANSACTIONS;
  const [book, earlier, traces] = await Promise.all([
    fields.wants('address_book') ? readAddressBook(scope, bookAccounts(rows)) : {},
    fields.wants('account_state_before') ? readEarlierStates(scope, rows) : new Map(),
    fields.wants('trace_id', 'trace_external_hash') ? readTraceIds(scope, rows) : NO_TRACE_IDS,
  ]);
  const { context } = scope;
  const bodies = fields.wants('in_msg', 'out_msgs') ? new AnswerBodies(context) : undecodedBodies(context);
  const isHead = fields.isWithin(HEAD_FIELDS);
  return {
    transactions: await mapInChunks(rows, (row) =>
      isHead ? headAnswer(row, traces) : transactionAnswer(row, earlier, bodies, traces),
    ),
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
