import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Transfer } from '../wallets/transfer.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { Chance } from './chance.ts';

/** What somebody on the network may look at before doing something. */
export interface TrafficScene {
  readonly chance: Chance;
  /** Whose turn it is. */
  readonly from: Wallet;
  readonly wallets: readonly Wallet[];
  /** Counts the blocks for which traffic was made. */
  readonly round: number;
  /** An account as the last step left it. */
  readonly account: (address: AccountAddress) => AccountEntry | null;
}

/** The transfers that a wallet signs at once. */
export interface TrafficAct {
  readonly from: Wallet;
  readonly transfers: readonly Transfer[];
}

/** What somebody does on the network. */
export interface TrafficKind {
  readonly name: string;
  /** How often it happens, compared with the others. */
  readonly weight: number;
  /** How many transactions come of it on the average, the wallet's own included. */
  readonly transactions: number;
  /** null: it cannot be done now. */
  readonly make: (scene: TrafficScene) => TrafficAct | null;
}
