import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Transfer } from '../wallets/transfer.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { Chance } from './chance.ts';

/** Facts of the network that an action may depend on. */
export interface TrafficScene {
  readonly chance: Chance;
  /** The wallet that acts. */
  readonly from: Wallet;
  readonly wallets: readonly Wallet[];
  /** Counts the blocks for which traffic was made. */
  readonly round: number;
  /** Unix time of the next block. */
  readonly utime: number;
  /** An account as the last step left it. */
  readonly account: (address: AccountAddress) => AccountEntry | null;
}

/** The transfers that a wallet signs at once. */
export interface TrafficAct {
  readonly from: Wallet;
  readonly transfers: readonly Transfer[];
}

/** One kind of action on the network. */
export interface TrafficKind {
  readonly name: string;
  /** Frequency relative to the other kinds. */
  readonly weight: number;
  /** Average number of transactions, the wallet's own included. */
  readonly transactions: number;
  /** null: it cannot be done now. */
  readonly make: (scene: TrafficScene) => TrafficAct | null;
}
