import { toUrl } from '../../api/request.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useDescribed } from '../../api/use-described.ts';
import { Panel, Sources, Table } from '../../parts/layout.tsx';
import { Notice, Shown } from '../../parts/notice.tsx';
import { Address, Ton } from '../../parts/text.tsx';
import { toHref } from '../../routes.ts';
import { Ask } from '../questions/ask.tsx';
import { RANKINGS } from './statements.ts';

const ACCOUNTS = 'accounts';
const ACCOUNTS_TITLE = 'Accounts with the most TON';
const RICHEST = { limit: 100 } as const;

/** What leads the chain: `#/rankings/NAME`; the accounts with the most TON come first. */
export function RankingsView({ values: [name = ACCOUNTS] }: { readonly values: readonly string[] }) {
  const ranking = RANKINGS.find((one) => one.name === name);
  const menu = [{ name: ACCOUNTS, title: ACCOUNTS_TITLE }, ...RANKINGS];
  return (
    <>
      <h1>{ranking?.title ?? ACCOUNTS_TITLE}</h1>
      <nav class="tabs" aria-label="Rankings">
        {menu.map((one) => (
          <a
            key={one.name}
            href={toHref('rankings', one.name)}
            aria-current={one.name === name ? 'page' : undefined}
          >
            {one.title}
          </a>
        ))}
      </nav>
      {ranking ? (
        <Ask key={ranking.name} title={ranking.title} sql={ranking.sql} isFolded />
      ) : name === ACCOUNTS ? (
        <Richest />
      ) : (
        <NoSuch />
      )}
    </>
  );
}

const NoSuch = () => <Notice>The page has no such ranking.</Notice>;

function Richest() {
  const loaded = useAnswer('/api/v3/topAccountsByBalance', RICHEST);
  const { answer } = loaded;
  const accounts = answer === null ? [] : 'accounts' in answer ? answer.accounts : answer;
  const names = useDescribed(accounts.map(({ account }) => account));
  return (
    <>
      <Panel title="Accounts">
        <Shown loaded={loaded}>
          {() => (
            <Table
              label={ACCOUNTS_TITLE}
              heads={['#Place', 'Account', '#TON']}
              rows={accounts.map(({ account, balance }, at) => ({
                key: account,
                cells: [
                  at + 1,
                  <Address key="address" address={account} names={names} />,
                  <Ton key="balance" value={balance} isAligned />,
                ],
              }))}
            />
          )}
        </Shown>
      </Panel>
      <Sources urls={[toUrl('/api/v3/topAccountsByBalance', RICHEST)]} />
    </>
  );
}
