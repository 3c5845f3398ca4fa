import { walletLayout } from './codes/wallet-layouts.ts';
import { isContractLayout } from './contract-layouts.ts';
import { isKnownLayout } from './known-layouts.ts';

/**
 * True if nothing reads data under a code (its hash) from cells: only get methods can identify such an account. False for
 * wallets of users.
 */
export function isUnknownCode(codeHash: Uint8Array): boolean {
  const hex = Buffer.from(codeHash).toString('hex');
  const isWallet = walletLayout(Buffer.from(codeHash).toString('base64')) !== undefined;
  return !isWallet && !isKnownLayout(hex) && !isContractLayout(hex);
}
