import type { Cell } from '../../../../ton/build/cell.ts';
import type { AccountAddress } from '../../../../ton/store/store-address.ts';
import type { GenesisContract } from './genesis-account.ts';

/** What contracts of genesis may refer to. */
export interface GenesisContext {
  readonly seed: string;
  readonly globalId: number;
  /** Unix time of the zerostates. */
  readonly utime: number;
  /** The wallet that owns what needs an owner. */
  readonly faucet: AccountAddress;
}

/** Contracts that are there from the start, beside the wallets, and configuration parameters that name them. */
export interface GenesisContracts {
  readonly contracts: readonly GenesisContract[];
  readonly params: readonly { readonly param: number; readonly cell: Cell }[];
}

/** The example contracts of localnet. The same context gives the same contracts. */
export function genesisContracts(_context: GenesisContext): GenesisContracts {
  return { contracts: [], params: [] };
}
