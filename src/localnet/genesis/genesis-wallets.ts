import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { deriveKey } from '../wallets/key-pair.ts';
import { makeWallet, type Wallet } from '../wallets/wallet.ts';
import type { WalletVersion } from '../wallets/wallet-codes.ts';
import type { GenesisContract } from './genesis-account.ts';

const TON = 1_000_000_000n;
const FAUCET_BALANCE = 1_000_000_000n * TON;
const WALLET_BALANCE = 1_000_000n * TON;
const TRAFFIC_WALLETS = 32;
const TRAFFIC_VERSIONS: readonly WalletVersion[] = ['v3r2', 'v4r2', 'v5r1'];

/** The wallets that a chain begins with; their keys follow from the seed. */
export interface GenesisWallets {
  /** Pays every caller. */
  readonly faucet: Wallet;
  /** One of each version, for developers. */
  readonly wallets: readonly Wallet[];
  /** Those between which traffic goes. */
  readonly traffic: readonly Wallet[];
}

export function genesisWallets(seed: string, globalId: number): GenesisWallets {
  const make = (name: string, version: WalletVersion) =>
    makeWallet(name, version, deriveKey(seed, name), globalId);
  return {
    faucet: make('faucet', 'v4r2'),
    wallets: (['v3r1', 'v3r2', 'v4r2', 'v5r1'] as const).map((version) => make(`wallet-${version}`, version)),
    traffic: Array.from({ length: TRAFFIC_WALLETS }, (_, i) =>
      make(`traffic-${i}`, TRAFFIC_VERSIONS[i % TRAFFIC_VERSIONS.length]!),
    ),
  };
}

/** The wallets as accounts of the zerostates. */
export function walletContracts({ faucet, wallets, traffic }: GenesisWallets): GenesisContract[] {
  const account = ({ address, code, data }: Wallet, balance: bigint) => ({ address, code, data, balance });
  return [
    account(faucet, FAUCET_BALANCE),
    ...[...wallets, ...traffic].map((wallet) => account(wallet, WALLET_BALANCE)),
  ];
}

/** An account with the code `42 THROW`: every message to it fails and bounces. */
export function throwingContract(): GenesisContract {
  const code = new CellBuilder().uint(0xf22a, 16).cell();
  const data = new CellBuilder().cell();
  return { address: { workchain: 0, address: stateInitHash(code, data) }, code, data, balance: TON };
}
