import type { Cell } from '../../../../ton/build/cell.ts';
import type { AccountAddress } from '../../../../ton/store/store-address.ts';
import type { GenesisContract } from './genesis-account.ts';
import { type GenesisJetton, genesisJetton } from './genesis-jetton.ts';
import { type GenesisNfts, genesisNfts } from './genesis-nft.ts';
import { genesisWallets } from './genesis-wallets.ts';

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

const FAUCET_JETTONS = 1_000_000_000n * 1_000_000_000n;
const WALLET_JETTONS = 1_000_000n * 1_000_000_000n;
const FAUCET_ITEMS = 3;

/** The jetton and the NFTs of a chain: most of them the faucet's, some of the wallets between which traffic goes. */
export function genesisTokens({ seed, globalId, faucet }: Omit<GenesisContext, 'utime'>): {
  readonly jetton: GenesisJetton;
  readonly nfts: GenesisNfts;
} {
  const traffic = genesisWallets(seed, globalId).traffic.map(({ address }) => address);
  const holdings = traffic.map((owner) => ({ owner, amount: WALLET_JETTONS }));
  const itemOwners = [...Array.from({ length: FAUCET_ITEMS }, () => faucet), ...traffic.slice(0, 5)];
  return {
    jetton: genesisJetton(faucet, [{ owner: faucet, amount: FAUCET_JETTONS }, ...holdings]),
    nfts: genesisNfts(faucet, itemOwners),
  };
}

/** The example contracts of localnet. The same context gives the same contracts. */
export function genesisContracts(context: GenesisContext): GenesisContracts {
  const { jetton, nfts } = genesisTokens(context);
  return { contracts: [jetton.minter, ...jetton.wallets, nfts.collection, ...nfts.items], params: [] };
}
