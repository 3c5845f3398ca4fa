import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Wallet } from './wallet.ts';

/** The seqno of a wallet's next message; 0 if it is not deployed. */
export function walletSeqno(wallet: Wallet, entry: AccountEntry | null): number {
  // The account's references: code, then data; before them one for extra currencies, which no wallet here has.
  const [code, data] = entry?.account.refs ?? [];
  if (!code || !data || code.key !== wallet.code.key) return 0;
  const view = new DataView(data.data.buffer, data.data.byteOffset);
  if (wallet.version !== 'v5r1') return view.getUint32(0);
  // v5 has one bit before it.
  return Number((view.getBigUint64(0) >> 31n) & 0xffff_ffffn);
}
