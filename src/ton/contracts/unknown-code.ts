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

/**
 * True if get methods may identify an account as a token: its code is unknown, or the code is a token's and only its master
 * or collection can confirm it, which may be under an unknown code.
 */
export function mayBeToken(codeHash: Uint8Array): boolean {
  return isUnknownCode(codeHash) || isKnownLayout(Buffer.from(codeHash).toString('hex'));
}
