import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { findContract, walletAt } from './free-items.ts';
import type { TrafficAct, TrafficKind, TrafficScene } from './traffic-kind.ts';

const TON = 1_000_000_000n;
const VALUE = TON / 20n;
/** Key of the record `wallet` (TEP-81). */
const WALLET = sha256(new TextEncoder().encode('wallet'));
/** A message with this key and no value renews a name. */
const RENEW = new Uint8Array(32);

/** Changes of the record `wallet` of names by their owners, and messages that renew names (TEP-81). */
export function nameKinds(names: readonly AccountAddress[]): TrafficKind[] {
  const change = (scene: TrafficScene, key: Uint8Array, value: Cell | null): TrafficAct | null => {
    const { chance } = scene;
    const to = names[chance.below(names.length)]!;
    const owner = findContract(scene, to)?.owner;
    const from = owner ? walletAt(scene, owner) : null;
    if (!from) return null;
    // change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:(the reference, if there is one)
    const body = new CellBuilder().uint(0x4eb1f0f9, 32).u64(BigInt(chance.below(2 ** 32)));
    body.bytes(key);
    if (value) body.ref(value);
    return { from, transfers: [{ to, value: VALUE, bounce: true, body: body.cell() }] };
  };
  const anyWallet = ({ chance, wallets }: TrafficScene) => wallets[chance.below(wallets.length)]!.address;
  return [
    {
      name: 'name record',
      weight: 2,
      transactions: 2,
      make: (scene) => change(scene, WALLET, walletRecord(anyWallet(scene))),
    },
    {
      name: 'name record removed',
      weight: 1,
      transactions: 2,
      make: (scene) => change(scene, WALLET, null),
    },
    { name: 'name renewed', weight: 1, transactions: 2, make: (scene) => change(scene, RENEW, null) },
  ];
}

/** dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) */
function walletRecord(address: AccountAddress): Cell {
  return new CellBuilder().uint(0x9fd3, 16).with(storeAddress, address).uint(0, 8).cell();
}
