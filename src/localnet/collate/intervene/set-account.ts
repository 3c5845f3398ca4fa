import { reuseCells } from '../../../ton/cell/reuse-cells.ts';
import { NO_MONEY } from '../../../ton/currencies/money.ts';
import { type AccountFacts, joinAccount, type StateParts, splitAccount } from './account-parts.ts';
import type { AccountChange } from './intervention.ts';
import { type ChangedAccount, replaceAccount, type TransactionPlace } from './replace-account.ts';

/** Makes the transaction that sets an account's state. The new state is that of the change: no code runs. */
export function setAccount(change: AccountChange, place: TransactionPlace): ChangedAccount {
  const { account: address } = change;
  const { before, lt, now } = place;
  const had = before && splitAccount(before.account);
  const oldBalance = had?.balance.grams ?? 0n;
  const balance = { ...(had?.balance ?? NO_MONEY), grams: change.balance ?? oldBalance };
  const state = changedState(had?.state ?? { status: 'uninit' }, change);
  const isNone = state.status === 'uninit' && balance.grams === 0n && balance.extra?.length === 0;
  const parts: AccountFacts = { balance, lastPaid: now, duePayment: null, state, endLt: lt + 1n };
  const account = isNone ? null : reuseCells(joinAccount(address, parts), before?.account ?? null);
  return replaceAccount(place, {
    address,
    account,
    status: state.status,
    balances: [oldBalance, balance.grams],
    comment: describe(change),
  });
}

function changedState(state: StateParts, { code, data }: AccountChange): StateParts {
  if (code === undefined && data === undefined) return state;
  const active = state.status === 'active' ? state : NEW_STATE;
  return { ...active, code: code ?? active.code, data: data ?? active.data };
}

const NEW_STATE = {
  status: 'active',
  splitDepth: null,
  special: null,
  code: null,
  data: null,
  library: null,
} as const;

function describe({ balance, code, data }: AccountChange): string {
  const parts = Object.entries({ balance, code, data }).filter(([, part]) => part !== undefined);
  return `localnet: set ${parts.map(([name]) => name).join(', ')}`;
}
