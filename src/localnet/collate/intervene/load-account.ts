import { NO_MONEY } from '../../../ton/currencies/money.ts';
import { joinAccount, splitAccount } from './account-parts.ts';
import type { AccountLoad } from './intervention.ts';
import { type ChangedAccount, replaceAccount, type TransactionPlace } from './replace-account.ts';

/** Makes the transaction that brings an account of another network into the chain. There must be no account. */
export function loadAccount(
  { account: address, origin }: AccountLoad,
  place: TransactionPlace,
): ChangedAccount {
  const { balance, duePayment, state } = splitAccount(origin);
  const { grams } = balance;
  const parts = {
    balance: { ...NO_MONEY, grams },
    lastPaid: place.now,
    duePayment,
    state,
    endLt: place.lt + 1n,
  };
  return replaceAccount(place, {
    address,
    account: joinAccount(address, parts),
    status: state.status,
    balances: [0n, grams],
    comment: 'localnet: load from the fork',
  });
}
