import type { Cell } from '../../../../ton/build/cell.ts';
import type { AccountAddress } from '../../../../ton/store/store-address.ts';
import type { GenesisContract } from './genesis-account.ts';
import { type GenesisJetton, genesisJetton } from './genesis-jetton.ts';
import { type GenesisNfts, genesisNfts } from './genesis-nft.ts';
import { genesisPair } from './genesis-pair.ts';
import { genesisSale } from './genesis-sale.ts';
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

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
const FAUCET_JETTONS = 1_000_000_000n * COIN;
const WALLET_JETTONS = 1_000_000n * COIN;
const RESERVES = { ton: 1_000_000n * TON, jettons: 10_000_000n * COIN };
const FAUCET_ITEMS = 3;

/** Tokens of a chain, and what they are traded at. */
export interface GenesisTokens {
  readonly jetton: GenesisJetton;
  /** The first are the faucet's, the others of the wallets between which traffic goes. */
  readonly nfts: GenesisNfts;
  /** TON against the jetton. */
  readonly pair: GenesisContract;
  /** Items that traffic deals with, and where each is sold. */
  readonly sales: readonly { readonly item: GenesisContract; readonly sale: GenesisContract }[];
}

/** The jetton and the NFTs of a chain: most of them the faucet's, some of the wallets between which traffic goes. */
export function genesisTokens({ seed, globalId, faucet }: Omit<GenesisContext, 'utime'>): GenesisTokens {
  const traffic = genesisWallets(seed, globalId).traffic.map(({ address }) => address);
  const minter = genesisJetton(faucet, []).minter.address;
  const pair = genesisPair(minter, RESERVES);
  const holdings = [
    { owner: faucet, amount: FAUCET_JETTONS },
    ...traffic.map((owner) => ({ owner, amount: WALLET_JETTONS })),
    { owner: pair.address, amount: RESERVES.jettons },
  ];
  const nfts = genesisNfts(faucet, [...Array.from({ length: FAUCET_ITEMS }, () => faucet), ...traffic]);
  const sales = nfts.items
    .slice(FAUCET_ITEMS)
    .map((item) => ({ item, sale: genesisSale(item.address, faucet) }));
  return { jetton: genesisJetton(faucet, holdings), nfts, pair, sales };
}

/** The example contracts of localnet. The same context gives the same contracts. */
export function genesisContracts(context: GenesisContext): GenesisContracts {
  const { jetton, nfts, pair, sales } = genesisTokens(context);
  const tokens = [jetton.minter, ...jetton.wallets, nfts.collection, ...nfts.items];
  return { contracts: [...tokens, pair, ...sales.map(({ sale }) => sale)], params: [] };
}
