import type { Cell } from '../../ton/cell/cell.ts';
import { cellWith } from '../../ton/cell/cell-builder.ts';
import { storeNftTransfer } from '../../ton/messages/nft-transfer.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { Wallet } from '../wallets/wallet.ts';
import { type FreeItems, isSame, readOwner } from './free-items.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;

/** Transfers of NFTs between wallets, and transfers by accounts that do not own them. */
export function nftKinds(items: readonly AccountAddress[], free: FreeItems): TrafficKind[] {
  return [
    {
      name: 'NFT transfer',
      weight: 5,
      transactions: 4,
      make: (scene) => {
        const found = free.take(scene, ({ owner }) => owner !== null);
        const to = scene.wallets[scene.chance.below(scene.wallets.length)]!.address;
        return found && handOver(scene, { item: found.item, from: found.owner!, to });
      },
    },
    {
      name: 'NFT of another owner',
      weight: 1,
      transactions: 3,
      make: (scene) => {
        const item = items[scene.chance.below(items.length)]!;
        const { from } = scene;
        const owner = readOwner(scene.account(item));
        // Who owns it, or may soon, would not fail.
        if (!owner || free.isTaken(item, scene.round) || isSame(owner, from.address)) return null;
        return handOver(scene, { item, from, to: from.address });
      },
    },
  ];
}

interface HandOver {
  readonly item: AccountAddress;
  /** Sends the message; only of the owner the item takes it. */
  readonly from: Wallet;
  readonly to: AccountAddress;
  /** For the new owner, in the message about the item. */
  readonly forward?: { readonly value: bigint; readonly payload: Cell };
}

export function handOver({ chance }: TrafficScene, { item, from, to, forward }: HandOver): TrafficAct {
  const value = forward?.value ?? TON / 20n;
  const body = cellWith(storeNftTransfer, {
    queryId: BigInt(chance.below(2 ** 32)),
    newOwner: to,
    responseDestination: from.address,
    forwardAmount: value,
    forwardPayload: forward ? { inline: forward.payload } : null,
  });
  return { from, transfers: [{ to: item, value: value + (3n * TON) / 20n, bounce: true, body }] };
}
