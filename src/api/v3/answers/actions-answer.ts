import { accountOfRaw } from '../../read/account-id.ts';
import type { ActionRow } from '../../read/action-row.ts';
import { parts } from '../../read/key-lists.ts';
import { readEarlierStates } from '../../read/read-earlier-states.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import { readTransactions } from '../../read/read-transactions.ts';
import type { Switches } from '../endpoint.ts';
import type { ActionsAnswer } from '../schemas/action.ts';
import type { Metadata } from '../schemas/address-book.ts';
import type { TransactionAnswer } from '../schemas/transaction.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { DESCRIBED, readMetadata } from './describe-addresses.ts';
import { readAddressBook } from './read-address-book.ts';
import { storedActionAnswer } from './stored-action-answer.ts';
import { transactionAnswer } from './transaction-answer.ts';

export interface ActionsChoices extends Pick<Switches, 'addressBook' | 'metadata'> {
  readonly withAccounts: boolean;
  readonly withTransactions: boolean;
}

type Scope = ReadScope<'base' | 'traces' | 'actions'>;

/** The answer of `/actions`; what the rows do not hold is read side by side. */
export async function actionsAnswer(
  scope: Scope,
  rows: readonly ActionRow[],
  { withAccounts, withTransactions, ...switches }: ActionsChoices,
): Promise<ActionsAnswer> {
  const accounts = [...new Set(rows.flatMap((row) => row.accounts))].map(accountOfRaw);
  const [book, metadata, transactions] = await Promise.all([
    switches.addressBook ? readAddressBook(scope, accounts) : {},
    switches.metadata ? metadataOf(scope, accounts) : {},
    withTransactions ? transactionsOf(scope, rows) : null,
  ]);
  return {
    actions: rows.map((row) => storedActionAnswer(row, { withAccounts, transactions })),
    address_book: book,
    metadata,
  };
}

type Accounts = readonly ReturnType<typeof accountOfRaw>[];

/** Tokens among the accounts, where the projection that knows them can be read. */
async function metadataOf({ added, query, context }: Scope, accounts: Accounts): Promise<Metadata> {
  const { contracts } = added;
  if (!contracts) return {};
  const source = { databases: { contracts: contracts.database }, visible: contracts.visible, query, context };
  return readMetadata(source, accounts, DESCRIBED);
}

/** The transactions of the actions by hash, as lists of transactions answer them. */
async function transactionsOf(
  scope: Scope,
  actions: readonly ActionRow[],
): Promise<ReadonlyMap<string, TransactionAnswer>> {
  const traceOf = new Map(
    actions.flatMap(({ txHashes, traceId, externalHash }) =>
      txHashes.map((hash) => [
        hash,
        { trace_id: traceId, ...(externalHash === null ? {} : { trace_external_hash: externalHash }) },
      ]),
    ),
  );
  const hashes = [...traceOf.keys()].map((hash) => Buffer.from(hash, 'base64').toString('hex').toUpperCase());
  if (hashes.length === 0) return new Map();
  const pages = parts(hashes).map((some) =>
    readTransactions(scope, { hashes: some }, { limit: some.length, offset: 0, descending: false }),
  );
  const rows = (await Promise.all(pages)).flat();
  const earlier = await readEarlierStates(scope, rows);
  const bodies = new AnswerBodies(scope.context);
  return new Map(rows.map((row) => [row.hash, transactionAnswer(row, earlier, bodies, traceOf)]));
}
