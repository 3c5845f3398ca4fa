import { walletFacts } from '../../chain/wallet-contracts.ts';
import { type AccountStateRow, getAccount } from '../../entities/accounts/model.ts';
import { hashOrNull, ZERO_HASH } from '../../entities/accounts/none-account.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { WalletStateAnswer } from '../schemas/account.ts';

/**
 * WalletState of v3-models.md 8.2. `data`: a bag; empty if absent or incomplete, null if not requested, and then
 * nothing is shown as a wallet. `suspended`: raw addresses.
 */
export function walletStateAnswer(
  row: AccountStateRow,
  data: Uint8Array | null,
  suspended: ReadonlySet<string>,
): WalletStateAnswer {
  const address = rawAddress(getAccount(row));
  const facts = data && walletFacts(row.code_hash, data);
  const hasExtra = Object.keys(row.extra).length > 0;
  return {
    address,
    is_wallet: facts !== null,
    ...facts,
    balance: row.balance,
    ...(hasExtra && { extra_currencies: row.extra }),
    status: row.status,
    ...(row.code_hash !== ZERO_HASH && { code_hash: row.code_hash }),
    last_transaction_hash: hashOrNull(row.last_trans_hash),
    last_transaction_lt: row.lt,
    suspended: suspended.has(address),
  };
}
