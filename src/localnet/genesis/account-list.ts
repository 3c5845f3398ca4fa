import { formatFriendly } from '../../ton/address/address.ts';
import { secretKeyHex } from '../wallets/key-pair.ts';
import type { WalletVersion } from '../wallets/wallet-codes.ts';
import type { GenesisWallets } from './genesis-wallets.ts';

/** A wallet for developers, as text. */
export interface AccountText {
  readonly name: string;
  readonly version: WalletVersion;
  /** Friendly form, not bounceable, for test networks. */
  readonly address: string;
  /** Hex of 32 bytes. */
  readonly publicKey: string;
  /** Hex of 64 bytes: seed, then public key. */
  readonly secretKey: string;
}

/** The wallets for developers, the faucet first. The same seed gives the same list. */
export function listAccounts({ faucet, wallets }: Pick<GenesisWallets, 'faucet' | 'wallets'>): AccountText[] {
  return [faucet, ...wallets].map(({ name, version, address, key }) => ({
    name,
    version,
    address: formatFriendly(address.workchain, address.address, { bounceable: false, testOnly: true }),
    publicKey: key.publicKey.toHex(),
    secretKey: secretKeyHex(key),
  }));
}
