import { CellBuilder } from '../../../../ton/build/cell-builder.ts';
import { type AccountAddress, storeAddress } from '../../../../ton/store/store-address.ts';
import { jettonWalletAddress } from '../genesis/genesis-jetton.ts';
import type { Transfer } from '../wallets/transfer.ts';
import type { Chance } from './chance.ts';
import type { TrafficKind } from './traffic.ts';

const TON = 1_000_000_000n;
const COIN = 1_000_000_000n;

/** Transfers and burns of a jetton that the wallets of traffic have. */
export function jettonKinds(minter: AccountAddress): TrafficKind[] {
  const amount = (chance: Chance) => COIN / 100n + BigInt(chance.below(1_000_000_000));
  const toOwnWallet = (owner: AccountAddress, body: CellBuilder): Transfer[] => [
    { to: jettonWalletAddress(minter, owner), value: TON / 10n, bounce: true, body: body.cell() },
  ];
  return [
    {
      name: 'jetton transfer',
      weight: 20,
      make: (chance, from, wallets) => {
        const to = wallets[chance.below(wallets.length)]!.address;
        return toOwnWallet(from.address, jettonTransfer(chance, amount(chance), to, from.address));
      },
    },
    {
      name: 'jetton burn',
      weight: 3,
      make: (chance, from) => toOwnWallet(from.address, jettonBurn(chance, amount(chance), from.address)),
    },
  ];
}

// transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell) = InternalMsgBody;
function jettonTransfer(
  chance: Chance,
  amount: bigint,
  to: AccountAddress,
  from: AccountAddress,
): CellBuilder {
  const body = new CellBuilder().uint(0x0f8a7ea5, 32).u64(BigInt(chance.below(2 ** 32)));
  body.coins(amount).with(storeAddress, to).with(storeAddress, from);
  return body
    .bit(false)
    .coins(TON / 100n)
    .bit(false);
}

// burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress custom_payload:(Maybe ^Cell)
//   = InternalMsgBody;
function jettonBurn(chance: Chance, amount: bigint, from: AccountAddress): CellBuilder {
  const body = new CellBuilder().uint(0x595f07bc, 32).u64(BigInt(chance.below(2 ** 32)));
  return body.coins(amount).with(storeAddress, from).bit(false);
}
