import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { findContract, walletAt } from './free-items.ts';
import type { TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
/** Rounds in which all that comes of a message to a name is through, in all shards. */
const REST = 12;
const BID_STEP = 5;
const EXTENSION = 3_600;
/** A week: names are sold at their highest bid, long before the end. */
const DURATION = 7 * 86_400;

/** Auctions of usernames by their owners, and bids, in the wire format of Telegram (telemint.tlb). */
export function usernameKinds(names: readonly AccountAddress[]): TrafficKind[] {
  const takenUntil = new Map<string, number>();
  /** A name that is in an auction or is not; null if the one looked at is not free. */
  const take = (scene: TrafficScene, isInAuction: boolean) => {
    const { chance, round, utime } = scene;
    const address = names[chance.below(names.length)]!;
    if ((takenUntil.get(toHex(address.address)) ?? 0) > round) return null;
    const found = findContract(scene, address);
    const owner = found?.owner ? walletAt(scene, found.owner) : null;
    if (!found || !owner) return null;
    const { end_time, min_bid, max_bid } = found.details;
    if (isInAuction !== (end_time !== 0)) return null;
    if (isInAuction && (utime >= Number(end_time) || owner === scene.from)) return null;
    takenUntil.set(toHex(address.address), round + REST);
    return { address, owner, minBid: BigInt(String(min_bid)), maxBid: BigInt(String(max_bid)) };
  };
  return [
    {
      name: 'username auction',
      weight: 2,
      transactions: 3,
      make: (scene) => {
        const found = take(scene, false);
        if (!found) return null;
        const minBid = BigInt(1 + scene.chance.below(3)) * TON;
        // teleitem_auction_config$_ beneficiary_address:MsgAddressInt initial_min_bid:Grams max_bid:Grams
        //   min_bid_step:uint8 min_extend_time:uint32 duration:uint32 = TeleitemAuctionConfig;
        const config = new CellBuilder().with(storeAddress, found.owner.address).coins(minBid);
        config
          .coins(4n * minBid)
          .uint(BID_STEP, 8)
          .uint(EXTENSION, 32)
          .uint(DURATION, 32);
        // teleitem_msg_start_auction#487a8e81 query_id:int64 auction_config:^TeleitemAuctionConfig
        const body = new CellBuilder().uint(0x487a8e81, 32).u64(BigInt(scene.chance.below(2 ** 32)));
        const transfer = { to: found.address, value: TON / 10n, bounce: true };
        return { from: found.owner, transfers: [{ ...transfer, body: body.ref(config.cell()).cell() }] };
      },
    },
    {
      name: 'username bid',
      weight: 4,
      transactions: 3,
      make: (scene) => {
        const found = take(scene, true);
        if (!found) return null;
        const { minBid, maxBid } = found;
        const next = minBid + BigInt(scene.chance.below(500_000_000));
        const value = scene.chance.below(4) === 0 && maxBid > next ? maxBid : next;
        return { from: scene.from, transfers: [{ to: found.address, value, bounce: true }] };
      },
    },
  ];
}
