import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import type { GenesisExchange } from '../genesis/genesis-exchange.ts';
import { jettonTransfer, toOwnWallet } from './jetton-kinds.ts';
import type { TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;
/** Above the exchange's cost of a swap. */
const GAS = TON / 5n;
/** For vault and pool, of the coins that go with the jettons. */
const FORWARD = TON / 10n;
/** More than the pool has: such a swap always fails. */
const IMPOSSIBLE = 10n ** 30n;

/** Swaps in both directions, in the wire format of DeDust (dedust.tlb), and some at a price that the pool refuses. */
export function swapKinds(minter: AccountAddress, exchange: GenesisExchange): TrafficKind[] {
  const { pool, nativeVault, jettonVault } = exchange;
  const buy = ({ chance, from }: TrafficScene, limit: bigint) => {
    const amount = TON / 10n + BigInt(chance.below(2_000_000_000));
    // dedust_swap#ea06185d query_id:uint64 amount:Coins DedustSwapStep swap_params:^DedustSwapParams
    const body = new CellBuilder()
      .uint(0xea06185d, 32)
      .u64(BigInt(chance.below(2 ** 32)))
      .coins(amount);
    storeSwap(body, pool.address, limit);
    const to = nativeVault.address;
    return { from, transfers: [{ to, value: amount + GAS, bounce: true, body: body.cell() }] };
  };
  const sell = (scene: TrafficScene, limit: bigint) => {
    const { chance, from } = scene;
    const jettons = COIN + BigInt(chance.below(2_000_000_000)) * 8n;
    // dedust_swap#e3a0d482 DedustSwapStep swap_params:^DedustSwapParams
    const payload = new CellBuilder().uint(0xe3a0d482, 32);
    storeSwap(payload, pool.address, limit);
    const body = jettonTransfer(chance, {
      jettons,
      to: jettonVault.address,
      from: from.address,
      forward: { value: FORWARD, payload },
    });
    return toOwnWallet(minter, scene, body, 2n * GAS);
  };
  return [
    { name: 'swap TON', weight: 6, transactions: 8, make: (scene) => buy(scene, 1n) },
    { name: 'swap jettons', weight: 6, transactions: 8, make: (scene) => sell(scene, 1n) },
    { name: 'swap TON too dear', weight: 1, transactions: 5, make: (scene) => buy(scene, IMPOSSIBLE) },
    { name: 'swap jettons too dear', weight: 1, transactions: 11, make: (scene) => sell(scene, IMPOSSIBLE) },
  ];
}

// step#_ pool_addr:MsgAddressInt kind:DedustSwapKind limit:Coins next:(Maybe ^DedustSwapStep) = DedustSwapStep;
// swap_params#_ deadline:DedustTimestamp recipient_addr:MsgAddress referral_addr:MsgAddress
//   fulfill_payload:(Maybe ^Cell) reject_payload:(Maybe ^Cell) = DedustSwapParams;
function storeSwap(builder: CellBuilder, pool: AccountAddress, limit: bigint): void {
  const givenIn = false;
  builder.with(storeAddress, pool).bit(givenIn).coins(limit).bit(false);
  // No deadline, no other recipient, no referral, no payloads.
  builder.ref(new CellBuilder().uint(0, 32).uint(0b00, 2).uint(0b00, 2).bit(false).bit(false).cell());
}
