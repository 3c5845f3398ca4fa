import type { Cell } from '../../ton/cell/cell.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { deriveKey, type KeyPair } from '../wallets/key-pair.ts';
import type { GenesisContract } from './genesis-account.ts';
import { type GenesisDns, genesisDns } from './genesis-dns.ts';
import { type GenesisExchange, genesisExchange } from './genesis-exchange.ts';
import { genesisHighload } from './genesis-highload.ts';
import { type GenesisJetton, genesisJetton } from './genesis-jetton.ts';
import { genesisMarketplace } from './genesis-marketplace.ts';
import { genesisMultisig } from './genesis-multisig.ts';
import { type GenesisNfts, genesisNfts } from './genesis-nft.ts';
import { genesisPool } from './genesis-pool.ts';
import { genesisSbt } from './genesis-sbt.ts';
import { type GenesisUsernames, genesisUsernames } from './genesis-usernames.ts';
import { genesisVesting } from './genesis-vesting.ts';
import { genesisWallets } from './genesis-wallets.ts';

/** Addresses that contracts of genesis may refer to. */
export interface GenesisContext {
  readonly seed: string;
  readonly globalId: number;
  /** Unix time of the zerostates. */
  readonly utime: number;
  /** The wallet that owns what needs an owner. */
  readonly faucet: AccountAddress;
}

/** Contracts that exist from the start, in addition to the wallets, and configuration parameters that name them. */
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
const USERNAMES = 8;
const TRAFFIC_NAMES = 8;
/** Name of the key of the highload wallet. */
export const HIGHLOAD_KEY = 'highload';

/** Tokens of a chain, and what they are traded at. */
export interface GenesisTokens {
  readonly jetton: GenesisJetton;
  /** The first are the faucet's, the others of the wallets between which traffic goes. */
  readonly nfts: GenesisNfts;
  /** TON against the jetton. */
  readonly exchange: GenesisExchange;
  /** Lists items for sale and in auctions. */
  readonly marketplace: GenesisContract;
  /** Items that traffic trades. */
  readonly traded: readonly GenesisContract[];
  /** Each has an auction of its own. */
  readonly usernames: GenesisUsernames;
  /** The first are the faucet's and a developer's, the others of the wallets between which traffic goes. */
  readonly dns: GenesisDns;
  /** Names whose records traffic changes. */
  readonly names: readonly GenesisContract[];
  /** Gets the royalty of each sale. */
  readonly royaltyTo: AccountAddress;
}

/** The jetton and the NFTs of a chain: most of them the faucet's, some of the wallets between which traffic goes. */
export function genesisTokens({ seed, globalId, faucet }: Omit<GenesisContext, 'utime'>): GenesisTokens {
  const { wallets, traffic: trafficWallets } = genesisWallets(seed, globalId);
  const traffic = trafficWallets.map(({ address }) => address);
  const minter = genesisJetton(faucet, []).minter.address;
  const exchange = genesisExchange(faucet, minter, RESERVES);
  const holdings = [
    { owner: faucet, amount: FAUCET_JETTONS },
    ...traffic.map((owner) => ({ owner, amount: WALLET_JETTONS })),
    { owner: exchange.jettonVault.address, amount: RESERVES.jettons },
  ];
  const people = [
    { label: 'faucet', owner: faucet },
    { label: 'alice', owner: wallets[2]!.address },
  ];
  const names = traffic
    .slice(0, TRAFFIC_NAMES)
    .map((owner, index) => ({ label: `traffic${index + 1}`, owner }));
  const dns = genesisDns(faucet, [...people, ...names]);
  const nfts = genesisNfts(faucet, [...Array.from({ length: FAUCET_ITEMS }, () => faucet), ...traffic]);
  return {
    jetton: genesisJetton(faucet, holdings),
    nfts,
    exchange,
    marketplace: genesisMarketplace(faucet),
    traded: nfts.items.slice(FAUCET_ITEMS),
    usernames: genesisUsernames(faucet, traffic.slice(0, USERNAMES)),
    dns,
    names: dns.items.slice(people.length),
    royaltyTo: faucet,
  };
}

/** A contract that people may want to find. */
export interface NamedContract {
  readonly name: string;
  readonly contract: GenesisContract;
  /** Key that its messages are signed with. */
  readonly key?: KeyPair;
}

/** The published contracts of a chain, in addition to the wallets: the same context gives the same ones. */
export function namedContracts(context: GenesisContext): readonly NamedContract[] {
  const { jetton, nfts, exchange, marketplace, usernames, dns } = genesisTokens(context);
  const others = genesisExamples(context);
  return [
    { name: 'jetton', contract: jetton.minter },
    { name: 'DEX pool', contract: exchange.pool },
    { name: 'DEX vault of TON', contract: exchange.nativeVault },
    { name: 'DEX vault of the jetton', contract: exchange.jettonVault },
    { name: 'NFT collection', contract: nfts.collection },
    { name: 'marketplace', contract: marketplace },
    { name: 'username collection', contract: usernames.collection },
    { name: 'DNS root', contract: dns.root },
    { name: 'DNS collection', contract: dns.collection },
    ...others,
  ];
}

/** Contracts for what people build: each of the faucet, or of the wallets that they have the keys of. */
function genesisExamples({ seed, globalId, faucet, utime }: GenesisContext): readonly NamedContract[] {
  const wallets = genesisWallets(seed, globalId).wallets.map(({ address }) => address);
  const [first, second, third] = wallets as [AccountAddress, AccountAddress, AccountAddress];
  const key = deriveKey(seed, HIGHLOAD_KEY);
  return [
    { name: 'SBT', contract: genesisSbt(third, faucet) },
    { name: 'multisig', contract: genesisMultisig(wallets, 2) },
    { name: 'vesting', contract: genesisVesting(third, faucet, utime) },
    { name: 'single nominator', contract: genesisPool(first, second) },
    { name: 'highload wallet', contract: genesisHighload(key), key },
  ];
}

/** The example contracts of localnet. The same context gives the same contracts. */
export function genesisContracts(context: GenesisContext): GenesisContracts {
  const { jetton, nfts, exchange, marketplace, usernames, dns } = genesisTokens(context);
  const others = genesisExamples(context);
  return {
    contracts: [
      ...[jetton.minter, ...jetton.wallets, nfts.collection, ...nfts.items],
      ...[exchange.pool, exchange.nativeVault, exchange.jettonVault],
      ...[marketplace, usernames.collection, ...usernames.items],
      ...[dns.root, dns.collection, ...dns.items],
      ...others.map(({ contract }) => contract),
    ],
    params: [dns.param],
  };
}
