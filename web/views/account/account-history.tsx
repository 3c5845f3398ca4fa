import { useState } from 'preact/hooks';
import type { Answer } from '../../api/request.ts';
import type { Action, Described, Transaction } from '../../api/types.ts';
import { usePages } from '../../api/use-pages.ts';
import { Panel } from '../../parts/layout.tsx';
import { PageList } from '../../parts/page-list.tsx';
import { ActionList } from '../action-list.tsx';
import { TransactionList } from '../transaction-list.tsx';

const PAGE_ROWS = 25;
const LISTS = ['Transactions', 'Actions'] as const;

/** The transactions or the actions of an account, newest first. */
export function AccountHistory({ address }: { readonly address: string }) {
  const [list, setList] = useState<(typeof LISTS)[number]>('Transactions');
  return (
    <Panel
      title={list}
      aside={
        <fieldset class="choice">
          <legend>List</legend>
          {LISTS.map((name) => (
            <button key={name} type="button" aria-pressed={name === list} onClick={() => setList(name)}>
              {name}
            </button>
          ))}
        </fieldset>
      }
    >
      {list === 'Transactions' ? <Transactions address={address} /> : <Actions address={address} />}
    </Panel>
  );
}

function Transactions({ address }: { readonly address: string }) {
  const pages = usePages<Answer<'/api/v3/transactions'>>('/api/v3/transactions', {
    account: address,
    limit: PAGE_ROWS,
    sort: 'desc',
  });
  return (
    <PageList pages={pages} empty="The account has no transactions.">
      {(answers) => (
        <TransactionList
          label="Transactions of the account"
          transactions={answers.flatMap(({ transactions }) => transactions as readonly Transaction[])}
          names={joinNames(answers)}
          hasAccount={false}
        />
      )}
    </PageList>
  );
}

function Actions({ address }: { readonly address: string }) {
  const pages = usePages<Answer<'/api/v3/actions'>>('/api/v3/actions', {
    account: address,
    limit: PAGE_ROWS,
    sort: 'desc',
  });
  return (
    <PageList pages={pages} empty="The account has no actions.">
      {(answers) => (
        <ActionList
          actions={answers.flatMap(({ actions }) => actions as readonly Action[])}
          names={joinNames(answers)}
          hasTraceLinks
        />
      )}
    </PageList>
  );
}

/** Address books and metadata of several answers. */
function joinNames(answers: readonly Partial<Described>[]): Described {
  return {
    address_book: Object.assign({}, ...answers.map((one) => one.address_book)),
    metadata: Object.assign({}, ...answers.map((one) => one.metadata)),
  };
}
