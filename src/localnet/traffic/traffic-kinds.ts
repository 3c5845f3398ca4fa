import { ELECTOR_ADDRESS } from '../genesis/genesis-config.ts';
import type { GenesisTokens } from '../genesis/genesis-contracts.ts';
import { throwingContract } from '../genesis/genesis-wallets.ts';
import { FreeItems } from './free-items.ts';
import { jettonKinds } from './jetton-kinds.ts';
import { marketKinds } from './market-kinds.ts';
import { mintKinds } from './mint-kinds.ts';
import { multisigKinds } from './multisig-kinds.ts';
import { nameKinds } from './name-kinds.ts';
import { nftKinds } from './nft-kinds.ts';
import { stakeKinds } from './stake-kinds.ts';
import { swapKinds } from './swap-kinds.ts';
import type { TrafficKind } from './traffic-kind.ts';
import { transferKinds } from './transfer-kinds.ts';
import { usernameKinds } from './username-kinds.ts';

/** Kinds of actions on a chain with these tokens. */
export function trafficKinds(tokens: GenesisTokens): TrafficKind[] {
  const { jetton, exchange, marketplace, traded, usernames, names, royaltyTo } = tokens;
  const items = traded.map(({ address }) => address);
  const free = new FreeItems(items);
  const minter = jetton.minter.address;
  const masterchain = { workchain: -1, address: ELECTOR_ADDRESS };
  return [
    ...transferKinds({ throwing: throwingContract().address, masterchain }),
    ...jettonKinds(minter),
    ...mintKinds(),
    ...swapKinds(minter, exchange),
    ...nftKinds(items, free),
    ...marketKinds(free, { marketplace: marketplace.address, royaltyTo }),
    ...usernameKinds(usernames.items.map(({ address }) => address)),
    ...nameKinds(names.map(({ address }) => address)),
    ...multisigKinds(),
    ...stakeKinds(),
  ];
}
