import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { storeJettonBurn } from '../../ton/messages/jetton-burn.ts';
import { storeJettonTransfer } from '../../ton/messages/jetton-transfer.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { jettonWalletAddress } from '../genesis/genesis-jetton.ts';
import type { Chance } from './chance.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;

const amount = (chance: Chance) => COIN / 100n + BigInt(chance.below(1_000_000_000));

/** Transfers and burns of a jetton that the wallets of traffic have, and a transfer of more than anybody has. */
export function jettonKinds(minter: AccountAddress): TrafficKind[] {
  const transfer = (scene: TrafficScene, jettons: bigint) => {
    const { chance, from, wallets } = scene;
    const to = wallets[chance.below(wallets.length)]!.address;
    const forward = { value: TON / 100n, payload: null };
    return toOwnWallet(minter, scene, jettonTransfer(chance, { jettons, to, from: from.address, forward }));
  };
  return [
    {
      name: 'jetton transfer',
      weight: 20,
      transactions: 5,
      make: (scene) => transfer(scene, amount(scene.chance)),
    },
    {
      name: 'jetton burn',
      weight: 3,
      transactions: 4,
      make: (scene) =>
        toOwnWallet(minter, scene, jettonBurn(scene.chance, amount(scene.chance), scene.from.address)),
    },
    { name: 'too many jettons', weight: 1, transactions: 3, make: (scene) => transfer(scene, 10n ** 24n) },
  ];
}

/** A message to the jetton wallet of whose turn it is. */
export function toOwnWallet(
  minter: AccountAddress,
  { from }: TrafficScene,
  body: CellBuilder,
  value = TON / 10n,
): TrafficAct {
  const to = jettonWalletAddress(minter, from.address);
  return { from, transfers: [{ to, value, bounce: true, body: body.cell() }] };
}

/** Jettons that move from the owner of one jetton wallet to the owner of another. */
interface JettonTransfer {
  readonly jettons: bigint;
  readonly to: AccountAddress;
  readonly from: AccountAddress;
  /** Sent on to the receiver: nanotons, and a payload. */
  readonly forward: { readonly value: bigint; readonly payload: CellBuilder | null };
}

export function jettonTransfer(chance: Chance, { jettons, to, from, forward }: JettonTransfer): CellBuilder {
  return new CellBuilder().with(storeJettonTransfer, {
    queryId: BigInt(chance.below(2 ** 32)),
    amount: jettons,
    destination: to,
    responseDestination: from,
    forwardAmount: forward.value,
    forwardPayload: forward.payload && { ref: forward.payload.cell() },
  });
}

function jettonBurn(chance: Chance, amount: bigint, responseDestination: AccountAddress): CellBuilder {
  const queryId = BigInt(chance.below(2 ** 32));
  return new CellBuilder().with(storeJettonBurn, { queryId, amount, responseDestination });
}
