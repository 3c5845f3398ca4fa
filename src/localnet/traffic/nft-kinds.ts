import { openBag } from '../../ton/boc/open-bag.ts';
import { CellBuilder, cellWith } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { storeNftTransfer } from '../../ton/messages/nft-transfer.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { AccountEntry } from '../ledger/account-entry.ts';
import type { Wallet } from '../wallets/wallet.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

/** An item, and its place of sale. */
export interface TradedItem {
  readonly item: AccountAddress;
  readonly sale: AccountAddress;
}

const TON = 1_000_000_000n;
const VALUE = TON / 5n;
/** Rounds in which all that comes of an act with an item is through, in all shards. */
const REST = 12;
/** Items that are looked at before none is said to be free. */
const MAX_ATTEMPTS = 4;

interface Found extends TradedItem {
  readonly owner: Wallet | null;
  readonly isForSale: boolean;
  readonly price: bigint;
}

/** Transfers of NFTs between wallets, offers, purchases, and transfers by accounts that do not own them. */
export function nftKinds(items: readonly TradedItem[]): TrafficKind[] {
  const free = new FreeItems(items);
  return [
    {
      name: 'NFT transfer',
      weight: 5,
      transactions: 4,
      make: (scene) => {
        const to = scene.wallets[scene.chance.below(scene.wallets.length)]!.address;
        return byOwner(
          free.take(scene, ({ owner }) => owner !== null),
          scene,
          to,
          null,
        );
      },
    },
    {
      name: 'NFT offer',
      weight: 3,
      transactions: 4,
      make: (scene) => {
        const found = free.take(scene, ({ owner }) => owner !== null);
        return found && byOwner(found, scene, found.sale, found.price);
      },
    },
    {
      name: 'NFT purchase',
      weight: 3,
      transactions: 7,
      make: (scene) => {
        const found = free.take(scene, ({ isForSale }) => isForSale);
        // buy#5a1e0001 query_id:uint64 (nft-sale.tolk)
        const body = new CellBuilder()
          .uint(0x5a1e0001, 32)
          .u64(BigInt(scene.chance.below(2 ** 32)))
          .cell();
        const value = (found?.price ?? 0n) + VALUE;
        return found && { from: scene.from, transfers: [{ to: found.sale, value, bounce: true, body }] };
      },
    },
    {
      name: 'NFT of another owner',
      weight: 1,
      transactions: 3,
      make: (scene) => {
        const { item } = items[scene.chance.below(items.length)]!;
        const { from } = scene;
        const owner = readOwner(scene.account(item));
        // Who owns it, or may soon, would not fail.
        if (!owner || free.isTaken(item, scene.round) || isSame(owner, from.address)) return null;
        return handOver(scene, { item, from, to: from.address, price: null });
      },
    },
  ];
}

/** Knows which items nothing is under way with. */
class FreeItems {
  private readonly items: readonly TradedItem[];
  private readonly takenUntil = new Map<string, number>();

  constructor(items: readonly TradedItem[]) {
    this.items = items;
  }

  isTaken(item: AccountAddress, round: number): boolean {
    return (this.takenUntil.get(toHex(item.address)) ?? 0) > round;
  }

  /** Returns an item that `fits` and reserves it for some rounds; null if a few tries found none. */
  take(scene: TrafficScene, fits: (found: Found) => boolean): Found | null {
    const { chance, round } = scene;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const index = chance.below(this.items.length);
      const traded = this.items[index]!;
      if (this.isTaken(traded.item, round)) continue;
      const owner = readOwner(scene.account(traded.item));
      const wallet = scene.wallets.find(({ address }) => owner && isSame(address, owner)) ?? null;
      const price = BigInt(1 + (index % 5)) * TON;
      const found = { ...traded, owner: wallet, isForSale: !!owner && isSame(owner, traded.sale), price };
      if (!fits(found)) continue;
      this.takenUntil.set(toHex(traded.item.address), round + REST);
      return found;
    }
    return null;
  }
}

function byOwner(
  found: Found | null,
  scene: TrafficScene,
  to: AccountAddress,
  price: bigint | null,
): TrafficAct | null {
  return found?.owner ? handOver(scene, { item: found.item, from: found.owner, to, price }) : null;
}

interface HandOver {
  readonly item: AccountAddress;
  /** Sends the message; only of the owner the item takes it. */
  readonly from: Wallet;
  readonly to: AccountAddress;
  /** The sale's price in nanotons; null if the item is not offered. */
  readonly price: bigint | null;
}

function handOver({ chance }: TrafficScene, { item, from, to, price }: HandOver): TrafficAct {
  const body = cellWith(storeNftTransfer, {
    queryId: BigInt(chance.below(2 ** 32)),
    newOwner: to,
    responseDestination: from.address,
    forwardAmount: TON / 20n,
    forwardPayload: price === null ? null : { inline: new CellBuilder().coins(price).cell() },
  });
  return { from, transfers: [{ to: item, value: VALUE, bounce: true, body }] };
}

/** index:uint64 collection:MsgAddressInt owner:MsgAddressInt content:^Cell (nft-item.tolk); null if there is none. */
function readOwner(entry: AccountEntry | null): AccountAddress | null {
  // The account's references: code, then data.
  const data = entry?.account.refs[1];
  if (!data) return null;
  const slice = openBag(writeBag(data, { index: false }));
  const ADDRESS_BITS = 267;
  slice.skipBits(64 + ADDRESS_BITS + 3);
  return { workchain: slice.int(8), address: slice.bytes(32).slice() };
}

function isSame(a: AccountAddress, b: AccountAddress): boolean {
  return a.workchain === b.workchain && toHex(a.address) === toHex(b.address);
}
