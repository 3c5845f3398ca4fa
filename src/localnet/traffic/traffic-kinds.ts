import { ELECTOR_ADDRESS } from '../genesis/genesis-config.ts';
import type { GenesisTokens } from '../genesis/genesis-contracts.ts';
import { throwingContract } from '../genesis/genesis-wallets.ts';
import { jettonKinds } from './jetton-kinds.ts';
import { nftKinds } from './nft-kinds.ts';
import { swapKinds } from './swap-kinds.ts';
import type { TrafficKind } from './traffic-kind.ts';
import { transferKinds } from './transfer-kinds.ts';

/** Kinds of actions on a chain with these tokens. */
export function trafficKinds({ jetton, exchange, sales }: GenesisTokens): TrafficKind[] {
  const minter = jetton.minter.address;
  const masterchain = { workchain: -1, address: ELECTOR_ADDRESS };
  return [
    ...transferKinds({ throwing: throwingContract().address, masterchain }),
    ...jettonKinds(minter),
    ...swapKinds(minter, exchange),
    ...nftKinds(sales.map(({ item, sale }) => ({ item: item.address, sale: sale.address }))),
  ];
}
