import type { ActionRow } from '../../entities/actions/model.ts';
import { readEarlierStates } from '../../entities/transactions/earlier-states.ts';
import { readTransactions } from '../../entities/transactions/find.ts';
import { accountOfRaw } from '../../query/account-id.ts';
import { parts } from '../../query/keys.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { Switches } from '../endpoint.ts';
import type { ActionsAnswer } from '../schemas/action.ts';
import type { TransactionAnswer } from '../schemas/transaction.ts';
import { addressesIn } from './action-addresses.ts';
import { AnswerBodies } from './answer-bodies.ts';
import { readAddedMetadata } from './describe-addresses.ts';
import { readAddressBook } from './read-address-book.ts';
import { type ActionLayout, getLayout, storedActionAnswer } from './stored-action-answer.ts';
import { transactionAnswer } from './transaction-answer.ts';

export interface ActionsChoices extends Pick<Switches, 'addressBook' | 'metadata'> {
  /** Details and columns: without them rows have none. */
  readonly withLayouts: boolean;
  readonly withAccounts: boolean;
  readonly withTransactions: boolean;
}

type Scope = ReadScope<'base' | 'traces' | 'actions'>;

const NO_LAYOUT: ActionLayout = { details: {} };

/** The answer of `/actions`; what the rows do not hold is read side by side. */
export async function actionsAnswer(
  scope: Scope,
  rows: readonly ActionRow[],
  { withLayouts, withAccounts, withTransactions, ...switches }: ActionsChoices,
): Promise<ActionsAnswer> {
  const layouts = rows.map((row) => (withLayouts ? getLayout(row) : NO_LAYOUT));
  const named = addressesIn([layouts, withAccounts ? rows.map((row) => row.accounts) : []]);
  const accounts = [...named].map(accountOfRaw);
  const [book, metadata, transactions] = await Promise.all([
    switches.addressBook ? readAddressBook(scope, accounts) : {},
    switches.metadata ? readAddedMetadata(scope, accounts) : {},
    withTransactions ? loadTransactions(scope, rows) : null,
  ]);
  return {
    actions: rows.map((row, i) =>
      storedActionAnswer(row, { withAccounts, layout: layouts[i]!, transactions }),
    ),
    address_book: book,
    metadata,
  };
}

/** The transactions of the actions by hash, as lists of transactions answer them. */
async function loadTransactions(
  scope: Scope,
  actions: readonly ActionRow[],
): Promise<ReadonlyMap<string, TransactionAnswer>> {
  const traceByHash = new Map(
    actions.flatMap(({ txHashes, traceId, externalHash }) =>
      txHashes.map((hash) => [
        hash,
        { trace_id: traceId, ...(externalHash === null ? {} : { trace_external_hash: externalHash }) },
      ]),
    ),
  );
  const hashes = [...traceByHash.keys()].map((hash) =>
    Buffer.from(hash, 'base64').toString('hex').toUpperCase(),
  );
  if (hashes.length === 0) return new Map();
  const pages = parts(hashes).map((some) =>
    readTransactions(scope, { hashes: some }, { limit: some.length, offset: 0, descending: false }),
  );
  const rows = (await Promise.all(pages)).flat();
  const earlier = await readEarlierStates(scope, rows);
  const bodies = new AnswerBodies(scope.context);
  return new Map(rows.map((row) => [row.hash, transactionAnswer(row, earlier, bodies, traceByHash)]));
}
