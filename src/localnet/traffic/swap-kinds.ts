import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { jettonTransfer, toOwnWallet } from './jetton-kinds.ts';
import type { TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
/** Above the pair's cost of a swap. */
const GAS = TON / 5n;
/** For the pair, of the coins that go with the jettons. */
const FORWARD = TON / 10n;
/** More than the pair has: such a swap always fails. */
const IMPOSSIBLE = 10n ** 30n;

/** Swaps at the pair in both directions, and some at a price that is not to be had. */
export function swapKinds(minter: AccountAddress, pair: AccountAddress): TrafficKind[] {
  const buy = ({ chance, from }: TrafficScene, minOut: bigint) => {
    const ton = TON / 10n + BigInt(chance.below(2_000_000_000));
    // swap_ton#5a0d0001 query_id:uint64 amount:Coins min_out:Coins (dex-pair.tolk)
    const body = new CellBuilder().uint(0x5a0d0001, 32).u64(BigInt(chance.below(2 ** 32)));
    const transfer = { to: pair, value: ton + GAS, bounce: true, body: body.coins(ton).coins(minOut).cell() };
    return { from, transfers: [transfer] };
  };
  const sell = (scene: TrafficScene, minOut: bigint) => {
    const { chance, from } = scene;
    const jettons = COIN + BigInt(chance.below(2_000_000_000)) * 8n;
    // swap_jettons#5a0d0002 min_out:Coins
    const payload = new CellBuilder().uint(0x5a0d0002, 32).coins(minOut);
    const body = jettonTransfer(chance, {
      jettons,
      to: pair,
      from: from.address,
      forward: { value: FORWARD, payload },
    });
    return toOwnWallet(minter, scene, body, 2n * GAS);
  };
  return [
    { name: 'swap TON', weight: 6, transactions: 6, make: (scene) => buy(scene, 1n) },
    { name: 'swap jettons', weight: 6, transactions: 6, make: (scene) => sell(scene, 1n) },
    { name: 'swap TON too dear', weight: 1, transactions: 3, make: (scene) => buy(scene, IMPOSSIBLE) },
    { name: 'swap jettons too dear', weight: 1, transactions: 9, make: (scene) => sell(scene, IMPOSSIBLE) },
  ];
}
