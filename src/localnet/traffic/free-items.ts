import { openBag } from '../../ton/boc/open-bag.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { readContract } from '../../ton/contracts/contract-layouts.ts';
import type { ContractState } from '../../ton/contracts/contract-state.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { TrafficScene } from './traffic-kind.ts';

/** Rounds in which all that comes of an act with an item is through, in all shards. */
const REST = 12;
/** Items that are looked at before none is said to be free. */
const MAX_ATTEMPTS = 4;

/** An item, as the last step left it. */
export interface FoundItem {
  readonly item: AccountAddress;
  /** null: the owner is no wallet of traffic. */
  readonly owner: Wallet | null;
  /** Sale or auction that owns the item; null for none. */
  readonly listing: Listing | null;
}

/** An open sale or auction of an item. */
export interface Listing {
  readonly address: AccountAddress;
  readonly kind: 'nft_sale' | 'nft_auction';
  /** null: no wallet of traffic. */
  readonly seller: Wallet | null;
  readonly details: ContractState['details'];
}

/** Knows which items nothing is under way with. */
export class FreeItems {
  private readonly items: readonly AccountAddress[];
  private readonly takenUntil = new Map<string, number>();

  constructor(items: readonly AccountAddress[]) {
    this.items = items;
  }

  isTaken(item: AccountAddress, round: number): boolean {
    return (this.takenUntil.get(toHex(item.address)) ?? 0) > round;
  }

  /** Returns an item that `fits` and reserves it for some rounds; null if a few attempts find none. */
  take(scene: TrafficScene, fits: (found: FoundItem) => boolean): FoundItem | null {
    const { chance, round } = scene;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const item = this.items[chance.below(this.items.length)]!;
      if (this.isTaken(item, round)) continue;
      const owner = readOwner(scene.account(item));
      const found = {
        item,
        owner: owner && walletAt(scene, owner),
        listing: owner && readListing(scene, owner),
      };
      if (!fits(found)) continue;
      this.takenUntil.set(toHex(item.address), round + REST);
      return found;
    }
    return null;
  }
}

/** The wallet of traffic at an address; null for others. */
export function walletAt({ wallets }: TrafficScene, address: AccountAddress): Wallet | null {
  return wallets.find((wallet) => isSame(wallet.address, address)) ?? null;
}

export function isSame(a: AccountAddress, b: AccountAddress): boolean {
  return a.workchain === b.workchain && toHex(a.address) === toHex(b.address);
}

/** An account's contract by its code and data; null if its code is no known layout. */
export function findContract(scene: TrafficScene, account: AccountAddress): ContractState | null {
  const [code, data] = scene.account(account)?.account.refs ?? [];
  if (!code || !data) return null;
  const bag = writeBag(data, { index: false });
  return readContract({ account, code: { hash: code.hash(), depth: code.depth() }, data: bag });
}

function readListing(scene: TrafficScene, address: AccountAddress): Listing | null {
  const found = findContract(scene, address);
  if (found?.kind !== 'nft_sale' && found?.kind !== 'nft_auction') return null;
  const { kind, owner, details } = found;
  if (!owner || details.is_complete === true || details.end_flag === true) return null;
  return { address, kind, seller: walletAt(scene, owner), details };
}

/** index:uint64 collection:MsgAddressInt owner:MsgAddressInt content:^Cell (nft-item.tolk); null if there is none. */
export function readOwner(entry: AccountEntry | null): AccountAddress | null {
  // The account's references: code, then data.
  const data = entry?.account.refs[1];
  if (!data) return null;
  const slice = openBag(writeBag(data, { index: false }));
  const ADDRESS_BITS = 267;
  slice.skipBits(64 + ADDRESS_BITS + 3);
  return { workchain: slice.int(8), address: slice.bytes(32).slice() };
}
