import { METHOD_NAMES } from 'virtual:facts';
import { type Answer, toUrl } from '../../api/request.ts';
import type { Described } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { groupDigits } from '../../format/amount.ts';
import { Fields, Panel, Sources } from '../../parts/layout.tsx';
import { Notice, Shown } from '../../parts/notice.tsx';
import { Badge, ChainText, Copy, Currencies, Hash, hasCurrencies, Ton } from '../../parts/text.tsx';
import { Cells } from '../message-fields.tsx';
import { AccountHistory } from './account-history.tsx';
import { AccountTokens } from './account-tokens.tsx';
import { BalanceHistory, toBalancesUrl } from './balance-history.tsx';
import { GetMethods } from './get-methods.tsx';
import { MultisigOrders } from './multisig-orders.tsx';
import { TokenFacts } from './token-facts.tsx';

type AccountState = Answer<'/api/v3/accountStates'>['accounts'][number];

/** An account: `#/account/ADDRESS`. */
export function AccountView({ values: [address = ''] }: { readonly values: readonly string[] }) {
  const parameters = { address, include_boc: true };
  const loaded = useAnswer('/api/v3/accountStates', parameters);
  const state = loaded.answer?.accounts[0];
  return (
    <>
      <h1>Account</h1>
      <Shown loaded={loaded}>
        {(answer) =>
          state ? (
            <State state={state} names={answer} />
          ) : (
            <Notice>The index has not seen this account.</Notice>
          )
        }
      </Shown>
      {loaded.answer && (
        <>
          {state && <TokenFacts address={state.address} names={loaded.answer} />}
          {state && <BalanceHistory address={state.address} />}
          <AccountTokens address={address} />
          {state?.interfaces?.includes('multisig_v2') && <MultisigOrders address={address} />}
          {state?.status === 'active' && <GetMethods address={address} methods={state.contract_methods} />}
          <AccountHistory address={address} />
        </>
      )}
      <Sources
        urls={[
          toUrl('/api/v3/accountStates', parameters),
          toUrl('/api/v3/transactions', { account: address, limit: 25 }),
          toUrl('/api/v3/jetton/wallets', { owner_address: address }),
          toUrl('/api/v3/nft/items', { owner_address: address }),
          toUrl('/api/v3/dns/records', { wallet: address }),
          ...(state ? [toBalancesUrl(state.address)] : []),
        ]}
      />
    </>
  );
}

function State({ state, names }: { readonly state: AccountState; readonly names: Described }) {
  const known = names.address_book[state.address];
  const friendly = known?.user_friendly ?? state.address;
  return (
    <Panel
      title={known?.domain ? 'State of a named account' : 'State'}
      aside={<Badge kind={state.status === 'active' ? 'good' : 'plain'}>{state.status ?? 'unknown'}</Badge>}
    >
      <p class="balance">
        <Ton value={state.balance} />
      </p>
      <Fields
        rows={[
          known?.domain ? ['Name', <ChainText key="name" text={known.domain} length={120} />] : null,
          ['Address', <FullText key="address" text={friendly} what="address" />],
          ['Raw address', <FullText key="raw" text={state.address} what="raw address" />],
          ['Interfaces', <Interfaces key="interfaces" names={state.interfaces} />],
          state.suspended && [
            'Suspended',
            <Badge key="suspended" kind="bad">
              suspended
            </Badge>,
          ],
          hasCurrencies(state.extra_currencies) && [
            'Extra currencies',
            <Currencies key="extra" values={state.extra_currencies} />,
          ],
          state.last_transaction_lt !== null && ['Last logical time', groupDigits(state.last_transaction_lt)],
          ['Last transaction', <Hash key="last" hash={state.last_transaction_hash} to="transaction" />],
          ['State hash', <Hash key="state" hash={state.account_state_hash} isFull />],
          ['Code hash', <Hash key="code" hash={state.code_hash} isFull />],
          ['Data hash', <Hash key="data" hash={state.data_hash} isFull />],
          state.frozen_hash && ['Frozen hash', <Hash key="frozen" hash={state.frozen_hash} isFull />],
          [
            'Get methods',
            state.contract_methods === null
              ? 'not known'
              : state.contract_methods.map((id) => METHOD_NAMES[id] ?? id).join(', ') || 'none',
          ],
        ]}
      />
      <Cells name="Code" boc={state.code_boc} />
      <Cells name="Data" boc={state.data_boc} />
    </Panel>
  );
}

function FullText({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span class="hash">
      <span class="mono">{text}</span>
      <Copy text={text} what={what} />
    </span>
  );
}

function Interfaces({ names }: { readonly names: readonly string[] | null }) {
  if (!names || names.length === 0) return <span class="none">{names ? 'none' : 'not known'}</span>;
  return (
    <>
      {names.map((name) => (
        <Badge key={name} kind="plain">
          {name}
        </Badge>
      ))}
    </>
  );
}
