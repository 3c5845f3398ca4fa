import { type AccountStateRow, accountStateRow, getAccount } from '../entities/accounts/model.ts';
import { hashOrNull } from '../entities/accounts/none-account.ts';
import { readTokensOfAccounts } from '../entities/tokens/find.ts';
import type { TokenRow } from '../entities/tokens/model.ts';
import { planEarlierStates } from '../entities/transactions/earlier-states.ts';
import { accountOfRaw, rawAddress } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import { jettonWalletAnswer } from '../v3/answers/tokens/jetton-wallet.ts';
import type { ChangedAccount } from './step-changes.ts';
import { type Addressed, type Draft, writeEvents } from './stream-event.ts';
import type { Subscribed, SubscriptionIndex } from './subscription-index.ts';

/** States read by one statement: its text contains their keys. */
const STATES_AT_ONCE = 1_000;

/** Events `account_state_change` of changed accounts (streaming.md 6) for those who want them. */
export async function stateEvents<T extends Subscribed>(
  scope: ReadScope,
  changes: readonly ChangedAccount[],
  index: SubscriptionIndex<T>,
): Promise<readonly Addressed<T>[]> {
  const wanted = changes.filter(({ account }) => index.byAddress('account_state_change', [account]).size > 0);
  const events: Addressed<T>[] = [];
  for (let at = 0; at < wanted.length; at += STATES_AT_ONCE) {
    const part = wanted.slice(at, at + STATES_AT_ONCE);
    const states = await readStates(scope, part);
    const drafts = part.flatMap((change) => {
      const row = states.get(toKey(change.account, change.lt));
      return row ? stateDrafts(change, row, index) : [];
    });
    for (const event of await writeEvents(scope, drafts)) events.push(event);
  }
  return events;
}

/** The state after the last transaction of a step is the state at its lt. */
async function readStates(
  scope: ReadScope,
  changes: readonly ChangedAccount[],
): Promise<ReadonlyMap<string, AccountStateRow>> {
  const keys = changes.map(({ account, lt }) => ({ account: accountOfRaw(account).hash, prev_trans_lt: lt }));
  const rows = (await scope.query(planEarlierStates(scope.databases.base, keys))).map(accountStateRow);
  return new Map(rows.map((row) => [toKey(rawAddress(getAccount(row)), row.lt), row]));
}

function toKey(account: string, lt: string): string {
  return `${account} ${lt}`;
}

function stateDrafts<T extends Subscribed>(
  { account, seqno, ordinal }: ChangedAccount,
  row: AccountStateRow,
  index: SubscriptionIndex<T>,
): readonly Draft<T>[] {
  const state = {
    hash: row.hash,
    balance: row.balance,
    extra_currencies: row.extra,
    account_status: row.status,
    frozen_hash: hashOrNull(row.frozen_hash),
    data_hash: hashOrNull(row.data_hash),
    code_hash: hashOrNull(row.code_hash),
  };
  const text = () =>
    JSON.stringify({ type: 'account_state_change', finality: 'finalized', account, state }).slice(0, -1);
  return [...index.byAddress('account_state_change', [account])].map((to) => ({
    to,
    position: { seqno, ordinal },
    key: '',
    text,
    addresses: () => null,
  }));
}

/** Events `jettons_change` of changed accounts that are jetton wallets, for those who want them or their owner. */
export async function jettonEvents<T extends Subscribed>(
  scope: ReadScope<'base' | 'contracts'>,
  changes: readonly ChangedAccount[],
  index: SubscriptionIndex<T>,
): Promise<readonly Addressed<T>[]> {
  if (!index.has('jettons_change')) return [];
  const events: Addressed<T>[] = [];
  // As of each step: a wallet may have changed again since.
  for (const [seqno, part] of Map.groupBy(changes, (change) => change.seqno)) {
    const changed = new Map(part.map((change) => [change.account, change]));
    const wallets = await readTokensOfAccounts(
      { ...scope, visible: { ...scope.visible, last: seqno } },
      'jetton_wallet',
      [...changed.keys()].map(accountOfRaw),
    );
    const drafts = wallets.flatMap((wallet) => {
      const change = changed.get(wallet.address)!;
      // An earlier state by get methods, or a state before data that no block shows, is not the one of now.
      return wallet.lt === change.lt ? jettonDrafts(change, wallet, index) : [];
    });
    for (const event of await writeEvents(scope, drafts)) events.push(event);
  }
  return events;
}

function jettonDrafts<T extends Subscribed>(
  { seqno, ordinal }: ChangedAccount,
  wallet: TokenRow,
  index: SubscriptionIndex<T>,
): readonly Draft<T>[] {
  const named = [wallet.address, wallet.owner, wallet.parent].filter((address) => address !== null);
  const { address, owner } = wallet;
  const jetton = jettonWalletAnswer(wallet);
  const text = () => JSON.stringify({ type: 'jettons_change', finality: 'finalized', jetton }).slice(0, -1);
  return [...index.byAddress('jettons_change', owner === null ? [address] : [address, owner])].map((to) => ({
    to,
    position: { seqno, ordinal: ordinal + 1 },
    key: '',
    text,
    addresses: () => named,
  }));
}
