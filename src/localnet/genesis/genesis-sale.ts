import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { readCell } from '../../ton/cell/cells-of-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { stateInitHash } from '../../ton/store/store-state-init.ts';
import { NFT_SALE_CODE } from '../contracts/codes/nft-sale-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { ROYALTY } from './genesis-nft.ts';

const TON = 1_000_000_000n;

/** Sale contract of an item; it has nothing to sell yet. */
export function genesisSale(item: AccountAddress, royaltyTo: AccountAddress): GenesisContract {
  const code = readCell(fromBase64(NFT_SALE_CODE)!);
  const data = new CellBuilder()
    .with(storeAddress, item)
    .with(storeAddress, royaltyTo)
    .uint(ROYALTY.numerator, 16)
    .uint(ROYALTY.denominator, 16)
    .bit(false)
    .cell();
  return {
    address: { workchain: 0, address: stateInitHash(code, data) },
    code,
    data,
    balance: TON / 10n,
  };
}
